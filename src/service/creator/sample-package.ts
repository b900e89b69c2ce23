import { PackageManifest } from '../../contract/creator/manifest.schemas.ts'
import type { PackageCheck, SampledTask } from '../../contract/creator/packages.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import { packageMetrics } from '../../engine/importing/packages/package-benchmark.ts'
import type { Database } from '../../storage/database.ts'
import type { PackageRow } from './packages.store.ts'
import { concernedTasks } from './reviews.store.ts'
import type { ScoringWorkers } from './score-answers.ts'

export interface SampleQuery {
  readonly count: number
  readonly seed: number
  readonly profile?: string | undefined
  readonly check?: PackageCheck | undefined
}

/** Tasks as a profile shows them, each with what the profile's scorer makes of its right answer. */
export async function samplePackage(
  db: Database,
  workers: ScoringWorkers,
  { id: packageId, manifest: stored }: PackageRow,
  { count, seed, profile: key, check }: SampleQuery,
): Promise<{ readonly items: SampledTask[]; readonly total: number }> {
  const { profiles } = PackageManifest.parse(JSON.parse(stored ?? 'null'))
  const profile = key === undefined ? 0 : profiles.findIndex(one => one.key === key)
  if (profile === -1)
    throw invalidField(['query', 'profile'], `must be one of the package’s profiles: ${profiles.map(one => one.key).join(', ')}`)
  const chosen = check === undefined ? { count, seed } : { ids: concernedTasks(db, packageId, check) }
  const { items, total } = await workers.packages({ kind: 'sample', packageId, profile, chosen })
  const metrics = packageMetrics({ metrics: profiles[profile]?.metrics ?? [] })
  const primary = metrics.findIndex(metric => metric.primary)
  const asked = items.flatMap(({ task, reference }) => (reference ? [{ id: task.id, input: { ...reference, countTokens: false } }] : []))
  const rows =
    asked.length === 0
      ? []
      : await workers.score(
          metrics,
          asked.map(({ input }) => input),
        )
  return {
    total,
    items: items.map(({ task, reference }) => {
      const score = rows[asked.findIndex(({ id }) => id === task.id)]?.scores[primary]
      const result = reference && score ? { answer: reference.output, score: score.value, explanation: score.explanation } : null
      return { ...task, reference_result: result }
    }),
  }
}
