import { PackageManifest } from '../../contract/creator/manifest.schemas.ts'
import type { PackageCheck, SampledTask } from '../../contract/creator/packages.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import type { WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'
import { packageMetrics } from '../../engine/importing/packages/package-benchmark.ts'
import type { Database } from '../../storage/database.ts'
import type { PackageRow } from './packages.store.ts'
import { concernedTasks } from './reviews.store.ts'
import { playWorld } from './play-world.ts'
import type { ScoringWorkers } from './score-answers.ts'
import { messageOf } from '../../lib/message-of.ts'

export interface SampleQuery {
  readonly count: number
  readonly seed: number
  readonly profile?: string | undefined
  readonly check?: PackageCheck | undefined
}

/** Milliseconds that the references of a sample may be played. */
const sampleMs = 60_000

/** Tasks as a profile shows them, each with what the profile's scorer makes of its right answer. */
export async function samplePackage(
  db: Database,
  workers: ScoringWorkers,
  { id: packageId, manifest: stored }: PackageRow,
  { count, seed, profile: key, check }: SampleQuery,
): Promise<{ readonly items: SampledTask[]; readonly total: number }> {
  const { profiles, world: isWorld } = PackageManifest.parse(JSON.parse(stored ?? 'null'))
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
  const ids = new Set(items.map(({ task }) => task.id))
  const world = isWorld ? await workers.packages({ kind: 'world', packageId }) : null
  const shown = world && { ...world, tasks: world.tasks.filter(({ id }) => ids.has(id)) }
  const played = shown ? await playWorld(workers, shown, 'reference', AbortSignal.timeout(sampleMs)).catch(unplayed(shown)) : []
  return {
    total,
    items: items.map(({ task, reference }) => {
      const result = played.find(each => each.task === task.id)
      if (result) {
        const { value: score, explanation } = result
        return { ...task, reference_result: { answer: task.reference ?? '', score, explanation } }
      }
      const score = rows[asked.findIndex(({ id }) => id === task.id)]?.scores[primary]
      const graded = reference && score ? { answer: reference.output, score: score.value, explanation: score.explanation } : null
      return { ...task, reference_result: graded }
    }),
  }
}

/** Where this machine lacks a sandbox or takes too long, a reviewer sees the tasks and why their references were not played. */
const unplayed =
  ({ tasks }: WorldDefinition) =>
  (error: unknown) => {
    const explanation = `Not played: ${messageOf(error)}`
    return tasks.flatMap(({ id, reference }) => (reference ? [{ task: id, value: null, text: '', explanation }] : []))
  }
