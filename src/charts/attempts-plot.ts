import type { MetricResult } from '../contract/runs/results.schemas.ts'
import type { IntervalPlotProps, IntervalRow } from './interval-plot.ts'

/**
 * What a profile's score becomes when more attempts count: from "all of k pass" over the score itself to "at least one of k passes".
 * Null for a run that asked each task once.
 */
export function attemptsPlot(
  metrics: readonly MetricResult[],
  profile: { readonly id: string; readonly title: string },
  series: IntervalRow['series'],
): IntervalPlotProps | null {
  const own = metrics.filter(metric => metric.profile_id === profile.id)
  const score = own.find(metric => metric.primary)
  const repeated = own.filter(({ attempts }) => attempts !== undefined && attempts.metric === score?.metric)
  if (!score || repeated.length === 0) return null
  const rows = [...repeated.map(placed), { at: 0, label: 'One attempt', detail: 'the score', estimate: score.estimate }].sort(
    (a, b) => a.at - b.at,
  )
  return {
    title: `${profile.title}: ${score.title} by number of attempts`,
    rows: rows.map(({ label, detail, estimate: { n, mean, interval } }) => ({
      label,
      detail,
      n,
      mean,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      ...(series === undefined ? {} : { series }),
    })),
  }
}

function placed({ attempts, estimate }: MetricResult) {
  const k = attempts?.k ?? 1
  return attempts?.kind === 'pass_hat_k'
    ? { at: -k, label: `pass^${k}`, detail: `all ${k} attempts pass`, estimate }
    : { at: k, label: `pass@${k}`, detail: `at least one of ${k} passes`, estimate }
}

/** What the figures above say, for those who read them. @param epochs attempts that were made at each task */
export function attemptsNote(epochs: number): string {
  return `pass@k is the share of tasks that at least one of k attempts solves, pass^k the share that all k solve, each estimated without bias from the ${epochs} attempts at each task. The task is the unit: n counts tasks.`
}
