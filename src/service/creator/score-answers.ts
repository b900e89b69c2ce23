import type { PackageManifest } from '../../contract/creator/manifest.schemas.ts'
import { packageMetrics } from '../../engine/importing/packages/package-benchmark.ts'
import type { AnswerKind } from '../../workers/packages-task.ts'
import type { Workers } from '../../workers/pool.ts'
import { playWorld, type WorldWorkers } from './play-world.ts'

/** Answers scored at a time. */
const batch = 200

export type ScoringWorkers = Pick<Workers, 'packages' | 'score'> & WorldWorkers

export interface ScoredAnswer {
  readonly task: string
  /** Of the primary metric. */
  readonly value: number | null
  /** Every score of it; equal exactly where the scores are. */
  readonly text: string
}

export interface ScoredPackage {
  readonly id: string
  readonly manifest: PackageManifest
  readonly signal: AbortSignal
}

/** Places of the profiles whose scores of an answer can differ: those that grade the same answers by the same scorers count once. */
export function distinctProfiles({ profiles }: Pick<PackageManifest, 'profiles'>, answer: AnswerKind): number[] {
  const keys = profiles.map(profile => {
    const graded = packageMetrics(profile).map(({ scorer, options, primary }) => ({ scorer, options, primary }))
    return JSON.stringify([profile.split, graded, answer === 'echo' ? profile.prompt_template : null])
  })
  return keys.flatMap((key, i) => (keys.indexOf(key) === i ? [i] : []))
}

/** Scores an answer to every task of a profile's split by the profile's own scorers; tasks for which there is no such answer are left out. */
export async function scoreAnswers(
  workers: ScoringWorkers,
  { id: packageId, manifest, signal }: ScoredPackage,
  profile: number,
  answer: AnswerKind,
): Promise<ScoredAnswer[]> {
  const world = manifest.world ? await workers.packages({ kind: 'world', packageId }, signal) : null
  if (world) return playWorld(workers, world, answer, signal)
  const metrics = packageMetrics({ metrics: manifest.profiles[profile]?.metrics ?? [] })
  const primary = metrics.findIndex(metric => metric.primary)
  const found: ScoredAnswer[] = []
  for (let from = 0, total = 1; from < total; from += batch) {
    const page = await workers.packages({ kind: 'answers', packageId, profile, answer, from, count: batch }, signal)
    total = page.total
    const asked = page.inputs.flatMap(({ id, input }) => (input ? [{ id, input: { ...input, countTokens: false } }] : []))
    if (asked.length === 0) continue
    const rows = await workers.score(
      metrics,
      asked.map(({ input }) => input),
    )
    for (const [i, { scores }] of rows.entries()) {
      const text = JSON.stringify(scores.map(score => [score.value, score.class]))
      found.push({ task: asked[i]?.id ?? '', value: scores[primary]?.value ?? null, text })
    }
    signal.throwIfAborted()
  }
  return found
}
