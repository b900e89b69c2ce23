import { join } from 'node:path'
import { z } from 'zod'
import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import { scoreName, type ShownScore } from '../../engine/importing/answers/answer-columns.ts'
import type { AnswerOrder } from '../../engine/importing/answers/open-answers.ts'
import type { CatalogProfile } from '../catalog/index.ts'
import type { Kernel } from '../kernel.ts'
import { findAnswerImport, type StoredAnswerImport } from './answers.store.ts'

/** Of the jobs of an import. */
export const AnswerImportInput = z.object({ import_id: z.string() })
export type AnswerImportInput = z.infer<typeof AnswerImportInput>

/** Where the media of an import lie until it has ended. @param folder with its files */
export const mediaFolder = (folder: string): string => join(folder, 'media')

const RecordedOptions = z
  .looseObject({
    name: z.string().default(scoreName),
    lowest: z.number().optional(),
    highest: z.number().optional(),
    binary: z.boolean().optional(),
  })
  .transform(({ name: column, lowest, highest, binary }) => ({ column, lowest, highest, binary }))

/** @throws Error where it is gone */
export function readImport(db: Kernel['db'], id: string): StoredAnswerImport {
  const found = findAnswerImport(db, id)
  if (!found) throw new Error(`The import ${id} is gone.`)
  return found
}

/** What the thread is to read. @param profile that a table answers; null for a log */
export function answerOrder({ form, record }: StoredAnswerImport, folder: string, profile: CatalogProfile | null): AnswerOrder {
  return {
    files: record.files.map(({ name }, i) => ({ name, path: join(folder, String(i)) })),
    format: record.format ?? 'jsonl',
    mapping: form.mapping ?? {},
    model: form.model,
    title: form.name,
    profileKey: profile?.definition.key ?? null,
    shownScores: shownScores(profile?.definition.metrics ?? []),
  }
}

/** The recorded scores that a profile shows, by the names under which files state them. */
function shownScores(metrics: readonly Metric[]): ShownScore[] {
  return metrics.flatMap(({ id, scorer, options }) => {
    const parsed = RecordedOptions.safeParse(options)
    return scorer === 'assay/recorded_score' && parsed.success ? [{ id, ...parsed.data }] : []
  })
}
