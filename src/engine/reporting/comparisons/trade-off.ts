import type { TradeOff } from '../../../contract/comparisons/comparisons.schemas.ts'
import { quantilesOf } from '../results/quantiles.ts'
import { bootstrapFigure } from '../../statistics/bootstrap-figure.ts'
import { summarizeMetric } from '../../statistics/summarize.ts'
import type { AlignedPairing } from './align-samples.ts'
import type { RunFrame } from './run-frame.ts'
import { type FigureOf, unitsOf } from './task-figures.ts'

/** What every run scored, in the same tasks and epochs. */
export interface CommonTasks {
  /** By run, one value per common task. */
  readonly values: readonly (readonly number[])[]
  /** Cluster of each common task; null where tasks are independent. */
  readonly clusters: readonly string[] | null
  readonly binary: boolean
  /** By run: its own figure of any of these tasks, where all are of one profile whose figure is not a mean. */
  readonly figures: readonly FigureOf[] | null
}

type Figures = Omit<TradeOff, 'on_front' | 'dominated_by'>

/** Quality, cost and latency of each run on what all of them scored, and which runs no other one dominates. */
export function weighTradeOff(
  runs: readonly RunFrame[],
  aligned: readonly AlignedPairing[],
  common: CommonTasks,
  level: number,
  seed: number,
): TradeOff[] {
  const rows = aligned.map(pairing => commonRows(pairing))
  const figures = runs.map((run, no): Figures => {
    const gather = (column: 'latencyMs' | 'inputTokens' | 'outputTokens') =>
      aligned.flatMap((pairing, i) => (rows[i] ?? []).map(row => pairing.runs[no]?.[column][row] ?? Number.NaN))
    const output = gather('outputTokens')
    const latency = quantilesOf(gather('latencyMs').filter(value => !Number.isNaN(value)))
    return {
      run_id: run.asked,
      quality: qualityOf(common, no, level, seed),
      cost_microusd_per_sample: costPerSample(run, gather('inputTokens'), output),
      latency_ms: { p50: latency.p50, p95: latency.p95 },
      output_tokens_per_sample: meanOf(output),
    }
  })
  return figures.map(figure => {
    const dominators = figures.filter(other => dominates(other, figure)).map(other => other.run_id)
    return { ...figure, on_front: dominators.length === 0 && figure.quality.mean !== null, dominated_by: dominators }
  })
}

function qualityOf({ values, binary, clusters, figures }: CommonTasks, run: number, level: number, seed: number): TradeOff['quality'] {
  const own = values[run] ?? []
  const figureOf = figures?.[run]
  if (!figureOf) {
    const { n, mean, standardError, interval, reason, cautions } = summarizeMetric(own, { binary, level, ...(clusters && { clusters }) })
    return { n, mean, standard_error: standardError, interval, reason, cautions: [...cautions] }
  }
  const { units, tasksOf } = unitsOf(own.length, clusters)
  const found = bootstrapFigure(units, drawn => figureOf(tasksOf(drawn)), { level, seed })
  const { figure, standardError, interval, reason, cautions } = found
  return { n: own.length, mean: figure, standard_error: standardError, interval, reason, cautions: [...cautions] }
}

/** Rows that every run has a score of the primary metric for. */
export function commonRows({ pairing, runs, taskOf }: AlignedPairing): number[] {
  const columns = runs.map(run => run.values[pairing.primary] ?? [])
  return taskOf.flatMap((_, row) => (columns.every(column => !Number.isNaN(column[row] ?? Number.NaN)) ? [row] : []))
}

/** Mean micro-USD by the rates that the run was frozen with; null where a rate or a count is missing. */
function costPerSample({ model: { rates } }: RunFrame, input: readonly number[], output: readonly number[]): number | null {
  if (!rates) return null
  const spent = (tokens: readonly number[], perMillion: string): number | null => {
    if (perMillion === '0') return 0
    const mean = meanOf(tokens)
    return mean === null ? null : (mean * Number(perMillion)) / 1_000_000
  }
  const ofInput = spent(input, rates.input_microusd_per_million)
  const ofOutput = spent(output, rates.output_microusd_per_million)
  return ofInput === null || ofOutput === null ? null : ofInput + ofOutput
}

/** Null when any is missing: a mean of what happens to be known would flatter. */
function meanOf(values: readonly number[]): number | null {
  const mean = values.reduce((total, value) => total + value, 0) / values.length
  return Number.isNaN(mean) ? null : mean
}

/** At least as good wherever both are known, and better somewhere. */
function dominates(a: Figures, b: Figures): boolean {
  const gains = [
    gain(a.quality.mean, b.quality.mean),
    gain(b.cost_microusd_per_sample, a.cost_microusd_per_sample),
    gain(b.latency_ms.p50, a.latency_ms.p50),
  ].filter(value => value !== null)
  return gains.every(value => value >= 0) && gains.some(value => value > 0)
}

function gain(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b
}
