import type { MetricResult, Results } from '../contract/runs/results.schemas.ts'
import type { IntervalPlotProps, IntervalRow } from './interval-plot.ts'

/** Numbers of attempts beyond ten that people quote; pages show these and all that the run made, the API and exports every one. */
const quoted: ReadonlySet<number> = new Set([20, 50, 100])

/** Metrics without the attempts that would make a page too long to read. @param epochs that the run made of each task */
export function quotedMetrics(metrics: readonly MetricResult[], epochs: number): MetricResult[] {
  return metrics.filter(({ attempts }) => attempts === undefined || attempts.k <= 10 || attempts.k === epochs || quoted.has(attempts.k))
}

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
  if (attempts?.kind === 'majority') return { at: 1, label: `maj@${k}`, detail: `the most frequent of ${k} answers`, estimate }
  return attempts?.kind === 'pass_hat_k'
    ? { at: -k, label: `pass^${k}`, detail: `all ${k} attempts pass`, estimate }
    : { at: k, label: `pass@${k}`, detail: `at least one of ${k} passes`, estimate }
}

/** What the figures above say, for those who read them. */
export function attemptsNote({ metrics, coverage: { epochs } }: Pick<Results, 'metrics' | 'coverage'>): string {
  const votes = metrics.some(({ attempts }) => attempts?.kind === 'majority')
    ? ` maj@${epochs} is the score of the answer given most often to each task, the first of equals.`
    : ''
  return `pass@k is the share of tasks that at least one of k attempts solves, pass^k the share that all k solve, each estimated without bias from the ${epochs} attempts at each task. The task is the unit: n counts tasks.${votes}`
}
