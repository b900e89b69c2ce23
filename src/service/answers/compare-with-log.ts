import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LogMetric } from '../../contract/answers/answers.schemas.ts'
import { upstreamRelease } from '../../engine/grading/scorers/upstream-release.ts'
import type { Database } from '../../storage/database.ts'
import type { CatalogProfile } from '../catalog/index.ts'
import type { Kernel } from '../kernel.ts'
import { runNumber } from '../runs/index.ts'
import { type AnswerImportFacts, compareLogScores, meanOfLog } from './answers.store.ts'

/** What the scores of a run, or of every run, are compared with. */
export interface RunPair {
  readonly run_id?: string | undefined
  readonly log: string
  readonly metric: string | null
  readonly reason: string | null
  readonly release?: string | null | undefined
}

type Disagreements = AnswerImportFacts['disagreements']

/** Values that differ by less are the same: logs round. */
const tolerance = 1e-9
const mostDisagreements = 200
const comparedRows = 500

/** The log's own scores beside ours, a few samples at a time. */
export async function compareWithLog(
  { db }: Kernel,
  record: AnswerImportFacts,
  pairs: readonly RunPair[],
  profiles: ReadonlyMap<string, CatalogProfile | null>,
): Promise<Pick<AnswerImportFacts, 'log_metrics' | 'disagreements'>> {
  const metrics: LogMetric[] = []
  const disagreements: Disagreements = []
  for (const { run_id } of record.runs) {
    const no = runNumber(db, run_id)
    if (no === null) continue
    const shown = profiles.get(run_id)?.definition.metrics ?? []
    for (const { log, metric, reason, release = null } of pairs.filter(pair => pair.run_id === undefined || pair.run_id === run_id)) {
      const metricNo = shown.findIndex(({ id }) => id === metric)
      const about = { run_id, log_metric: log, log_release: release }
      if (metric === null || metricNo < 0) {
        const { n, mean } = meanOfLog(db, no, log)
        const why = reason ?? 'The profile has no such metric.'
        if (n > 0) metrics.push({ ...about, metric: null, reason: why, n, log_mean: mean, mean: null, disagreements: 0, release: null })
        continue
      }
      const compared = await compareMetric(db, { no, id: run_id }, { log, metric, metricNo }, disagreements)
      if (compared) metrics.push({ ...about, metric, reason: null, ...compared, release: upstreamRelease(shown[metricNo]?.scorer ?? '') })
    }
  }
  return { log_metrics: metrics, disagreements }
}

/** Means of one metric over the samples that the log scores, with the differences added to the list; null where it scores none. */
async function compareMetric(
  db: Database,
  run: { readonly no: number; readonly id: string },
  { log, metric, metricNo }: { readonly log: string; readonly metric: string; readonly metricNo: number },
  disagreements: Disagreements,
): Promise<Pick<LogMetric, 'n' | 'log_mean' | 'mean' | 'disagreements'> | null> {
  const sums = { n: 0, log: 0, ours: 0, scored: 0, differ: 0 }
  for (let after = -1; ; ) {
    const rows = compareLogScores(db, { run, name: log, metricNo }, after, comparedRows)
    const last = rows.at(-1)
    if (!last) break
    after = last.position
    for (const { taskId: task_id, epoch, sampleId: sample_id, logValue: log_value, value, explanation } of rows) {
      sums.n++
      sums.log += log_value
      sums.ours += value ?? 0
      if (value !== null) sums.scored++
      if (value !== null && Math.abs(value - log_value) <= tolerance) continue
      sums.differ++
      if (disagreements.length < mostDisagreements)
        disagreements.push({ task_id, epoch, run_id: run.id, sample_id, log_metric: log, log_value, metric, value, explanation })
    }
    await nextTurn()
  }
  if (sums.n === 0) return null
  const mean = sums.scored === 0 ? null : sums.ours / sums.scored
  return { n: sums.n, log_mean: sums.log / sums.n, mean, disagreements: sums.differ }
}
