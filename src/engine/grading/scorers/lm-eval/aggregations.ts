import { aggregateCounts, confusionKey, medianOf } from '../aggregate-counts.ts'
import { bleuCounts, bleuScore } from '../text/bleu.ts'
import { chrfCounts, chrfScore } from '../text/chrf.ts'
import { terCounts, terRate } from '../text/ter.ts'

/**
 * The aggregations that lm-evaluation-harness registers in `lm_eval/api/metrics.py`, as of 0.4.13, in its own scale: BLEU, chrF and TER
 * from 0 to 100. Lists are not empty.
 */

/** A sum with what it is divided by, such as a log-likelihood with its bytes. */
export type Weighted = readonly [sum: number, weight: number]
/** A label and the one that was named. */
export type Labels = readonly [gold: number, named: number]
/** References and an output. */
export type Translation = readonly [references: string | readonly string[], output: string]

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Of what is a number; NaN where nothing is. */
export function nanmean(values: readonly number[]): number {
  return mean(values.filter(value => !Number.isNaN(value)))
}

export function median(values: readonly number[]): number {
  return medianOf(values) ?? Number.NaN
}

export function perplexity(logLikelihoods: readonly number[]): number {
  return Math.exp(-mean(logLikelihoods))
}

export function weightedMean(items: readonly Weighted[]): number {
  return mean(items.map(([sum]) => sum)) / mean(items.map(([, weight]) => weight))
}

export function weightedPerplexity(items: readonly Weighted[]): number {
  return Math.exp(-weightedMean(items))
}

export function bitsPerByte(items: readonly Weighted[]): number {
  return -weightedMean(items) / Math.LN2
}

/** Of label 1, as scikit-learn's default has it. */
export function f1(items: readonly Labels[]): number {
  return ofConfusion('f1', items)
}

export function matthewsCorrelation(items: readonly Labels[]): number {
  return ofConfusion('mcc', items)
}

function ofConfusion(aggregation: 'f1' | 'mcc', items: readonly Labels[]): number {
  const counts: Record<string, number> = {}
  for (const [gold, named] of items) counts[confusionKey(gold, named)] = (counts[confusionKey(gold, named)] ?? 0) + 1
  return aggregateCounts({ aggregation, options: {} }, counts) ?? Number.NaN
}

/** Of probabilities by class: the mean over tasks of the squared distances, added up over the classes. */
export function brierScore(items: readonly (readonly [gold: number, probabilities: readonly number[]])[]): number {
  return mean(items.map(([gold, given]) => given.reduce((sum, value, label) => sum + (value - (label === gold ? 1 : 0)) ** 2, 0)))
}

export function bleu(items: readonly Translation[]): number {
  const counts = items.map(([references, output]) => bleuCounts(output, listOf(references)))
  const total = {
    length: counts.reduce((sum, { length }) => sum + length, 0),
    wanted: counts.reduce((sum, { wanted }) => sum + wanted, 0),
    shared: columnSums(counts.map(({ shared }) => shared)),
    total: columnSums(counts.map(({ total: all }) => all)),
  }
  return bleuScore(total, false) * 100
}

export function chrf(items: readonly Translation[]): number {
  const settings = { wordOrder: 0, beta: 2 }
  const counts = items.map(([references, output]) => chrfCounts(output, listOf(references), settings))
  const sums = (of: 'output' | 'wanted' | 'shared') => columnSums(counts.map(orders => orders.map(order => order[of])))
  const [wanted, shared] = [sums('wanted'), sums('shared')]
  const orders = sums('output').map((output, i) => ({ output, wanted: wanted[i] ?? 0, shared: shared[i] ?? 0 }))
  return chrfScore(orders, settings) * 100
}

export function ter(items: readonly Translation[]): number {
  const counts = items.map(([references, output]) => terCounts(output, listOf(references)))
  const edits = counts.reduce((sum, each) => sum + each.edits, 0)
  return terRate({ edits, wanted: counts.reduce((sum, each) => sum + each.wanted, 0) }) * 100
}

function columnSums(rows: readonly (readonly number[])[]): number[] {
  return rows[0]?.map((_, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0)) ?? []
}

function listOf(references: string | readonly string[]): readonly string[] {
  return typeof references === 'string' ? [references] : references
}

/** Of questions with several answers, of which every one must be judged rightly. */
export function allRight(items: readonly { readonly question: string; readonly isRight: boolean }[]): readonly number[] {
  return [...Map.groupBy(items, ({ question }) => question).values()].map(answers => (answers.every(({ isRight }) => isRight) ? 1 : 0))
}

/** A group's score of its tasks' scores. */
export function groupMean(scores: readonly number[], sizes: readonly number[], isWeighted: boolean): number {
  return weightedMean(scores.map((score, i) => [score * (isWeighted ? (sizes[i] ?? 0) : 1), isWeighted ? (sizes[i] ?? 0) : 1]))
}

/** The standard error of a group that also counts how far its tasks' means are apart; lm-eval keeps it beside the pooled one. */
export function combinedStandardError(errors: readonly number[], sizes: readonly number[], means: readonly number[]): number {
  let variance = (errors[0] ?? 0) ** 2
  let size = sizes[0] ?? 0
  let score = means[0] ?? 0
  for (const [i, error] of errors.slice(1).entries()) {
    const [n, value] = [sizes[i + 1] ?? 0, means[i + 1] ?? 0]
    score = (score * size + value * n) / (size + n)
    variance =
      ((size - 1) * variance + (n - 1) * error ** 2) / (size + n - 1) + ((size * n) / ((size + n) * (size + n - 1))) * (score - value) ** 2
  }
  return Math.sqrt(variance)
}
