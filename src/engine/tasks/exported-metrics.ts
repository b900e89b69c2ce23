import { z } from 'zod'
import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'

/**
 * How Assay graded, as its exports state it in the free-form metadata of other tools' files: by metric id. The importer grades by the same
 * scorer again, so that an export comes back with the same figures.
 */
export const ExportedMetrics = z.record(
  z.string(),
  z.object({
    scorer: z.string(),
    scorer_version: z.number(),
    options: z.record(z.string(), z.unknown()),
    binary: z.boolean(),
    primary: z.boolean(),
  }),
)
export type ExportedMetrics = z.infer<typeof ExportedMetrics>

export function exportedMetrics(metrics: readonly Metric[]): ExportedMetrics {
  return Object.fromEntries(
    metrics.map(({ id, scorer, scorer_version, options, binary, primary }) => [id, { scorer, scorer_version, options, binary, primary }]),
  )
}

const Metadata = z.object({ assay: z.object({ metrics: ExportedMetrics }) })

/** What an export of Assay says in its metadata; null for files of other programs. */
export function readExportedMetrics(metadata: unknown): ExportedMetrics | null {
  const parsed = Metadata.safeParse(metadata)
  return parsed.success ? parsed.data.assay.metrics : null
}
