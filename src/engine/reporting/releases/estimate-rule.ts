import { clusteredWilsonInterval } from '../../statistics/clustered-proportion.ts'
import { clusteredStandardErrors, FEW_CLUSTERS } from '../../statistics/clusters.ts'
import { differences } from '../../statistics/differences.ts'
import { meanAndStandardError } from '../../statistics/means.ts'
import { exactRate, fromBounds, type OneSided, studentMean, tangoDifference } from '../../statistics/one-sided.ts'
import { EXACT_LIMIT } from '../../statistics/permutation.ts'
import { signFlipMean } from '../../statistics/sign-flips.ts'
import { normalCritical } from '../../statistics/distributions/normal.ts'
import { at, mean } from '../../statistics/sample.ts'
import type { GroupColumns, SideColumns } from './figures.ts'

/** What a rule is tested with, or why it cannot be. */
export type Estimated = { readonly one: OneSided; readonly fewClusters: boolean; readonly excluded: number } | { readonly why: string }

/** Values of one group that a rule looks at, those of tasks without a value left out. */
interface Column {
  readonly values: readonly number[]
  readonly clusters: readonly string[] | null
  readonly isBinary: boolean
  readonly excluded: number
}

const noValues = (what: string) => `No task has ${what}.`

/** A mean of one side, such as its score or cost, over a group or over the weighted suite. */
export function estimateMean(
  groups: readonly GroupColumns[],
  columnOf: (group: GroupColumns) => { readonly values: Float64Array; readonly isBinary: boolean },
  what: string,
): Estimated {
  const parts = groups.map(group => {
    const { values, isBinary } = columnOf(group)
    return { weight: group.weight, column: kept(group, values, isBinary) }
  })
  return combine(parts, single, smoothedRate, what)
}

/** candidate − baseline on the same tasks. */
export function estimateDifference(groups: readonly GroupColumns[], metric: string): Estimated {
  const parts = groups.map(group => {
    const [candidate, baseline] = [group.candidate.values[metric], group.baseline?.values[metric]]
    const both = candidate && baseline ? candidate.map((value, i) => (Number.isNaN(value) ? value : at(baseline, i))) : new Float64Array()
    const isBinary = isBinaryOn(group.candidate, metric) && group.baseline !== null && isBinaryOn(group.baseline, metric)
    const second = kept(group, both, isBinary)
    const first = [...both.keys()].flatMap(i => (Number.isNaN(at(both, i)) || !candidate ? [] : [at(candidate, i)]))
    return { weight: group.weight, column: { ...second, values: [...differences(first, second.values)] } }
  })
  return combine(parts, paired, smoothedDifference, 'a value on both sides')
}

export function isBinaryOn(side: SideColumns, metric: string): boolean {
  return side.binary.includes(metric)
}

function kept({ clusters }: GroupColumns, values: Float64Array, isBinary: boolean): Column {
  const places = [...values.keys()].filter(i => !Number.isNaN(at(values, i)))
  const own = clusters && places.map(i => at(clusters, i))
  return {
    values: places.map(i => at(values, i)),
    clusters: own && new Set(own).size < own.length ? own : null,
    isBinary: isBinary && places.every(i => at(values, i) === 0 || at(values, i) === 1),
    excluded: values.length - places.length,
  }
}

interface Part {
  readonly weight: number
  readonly column: Column
}
type Whole = (column: Column) => OneSided | string
/** Mean, SE and degrees of freedom of one group of a weighted suite. */
type Piece = (column: Column) => { readonly mean: number; readonly se: number; readonly df: number } | string

function combine(all: readonly Part[], whole: Whole, smoothed: Piece, what: string): Estimated {
  const parts = all.length === 1 ? all.map(part => ({ ...part, weight: 1 })) : all.filter(({ weight }) => weight > 0)
  const excluded = parts.reduce((sum, { column }) => sum + column.excluded, 0)
  const fewClusters = parts.some(({ column }) => column.clusters !== null && new Set(column.clusters).size < FEW_CLUSTERS)
  const [only, other] = parts
  if (!only || parts.some(({ column }) => column.values.length === 0)) return { why: noValues(what) }
  if (!other) {
    const one = whole(only.column)
    return typeof one === 'string' ? { why: one } : { one, fewClusters, excluded }
  }
  const total = parts.reduce((sum, { weight }) => sum + weight, 0)
  let [estimate, variance, denominator, n] = [0, 0, 0, 0]
  for (const { weight, column } of parts) {
    const piece = column.isBinary && column.clusters === null ? smoothed(column) : plain(column)
    if (typeof piece === 'string') return { why: piece }
    const share = weight / total
    estimate += share * piece.mean
    variance += share ** 2 * piece.se ** 2
    denominator += (share * piece.se) ** 4 / piece.df
    n += column.values.length
  }
  if (variance === 0) return { why: 'The values of no group vary, so the data say nothing about how far the mean could be off.' }
  // Welch–Satterthwaite degrees of freedom.
  return { one: studentMean(estimate, Math.sqrt(variance), variance ** 2 / denominator, n, 'weighted_t'), fewClusters, excluded }
}

function plain({ values, clusters }: Column): ReturnType<Piece> {
  if (clusters) {
    const { mean: center, cr1, clusters: count, reason } = clusteredStandardErrors(values, clusters)
    return center === null || cr1 === null ? (reason ?? '') : { mean: center, se: cr1, df: count - 1 }
  }
  const { mean: center, standardError, reason } = meanAndStandardError(values)
  return center === null || standardError === null ? (reason ?? '') : { mean: center, se: standardError, df: values.length - 1 }
}

/** z² of the interval whose center smooths a rate. */
const square = normalCritical(0.95) ** 2

/** The SE of a rate at Wilson's center, so that all-right is not certain. Source: Agresti & Coull 1998. */
function smoothedRate({ values }: Column): ReturnType<Piece> {
  const trials = values.length + square
  const center = (values.reduce((sum, value) => sum + value, 0) + square / 2) / trials
  return { mean: mean(values), se: Math.sqrt((center * (1 - center)) / trials), df: Math.max(1, values.length - 1) }
}

/** The same of a paired difference: z²/8 is added to each cell of the 2×2 table. Source: Agresti & Min 2005, who add 1/2. */
function smoothedDifference({ values }: Column): ReturnType<Piece> {
  const trials = values.length + square / 2
  const wins = values.filter(value => value > 0).length + square / 8
  const losses = values.filter(value => value < 0).length + square / 8
  const variance = (wins + losses - (wins - losses) ** 2 / trials) / trials ** 2
  return { mean: mean(values), se: Math.sqrt(variance), df: Math.max(1, values.length - 1) }
}

function single({ values, clusters, isBinary }: Column): OneSided | string {
  if (isBinary && clusters) {
    const interval = (alpha: number) => clusteredWilsonInterval(values, clusters, 1 - 2 * alpha)
    const reference = interval(0.05)
    if (reference.value === null) return reference.reason
    const { method } = reference.value
    return fromBounds({
      method,
      n: values.length,
      estimate: mean(values),
      standardError: clusteredStandardErrors(values, clusters).cr1,
      lower: alpha => interval(alpha).value?.low ?? null,
      upper: alpha => interval(alpha).value?.high ?? null,
    })
  }
  if (isBinary)
    return exactRate(
      values.reduce((sum, value) => sum + value, 0),
      values.length,
    )
  return student(plain({ values, clusters, isBinary, excluded: 0 }), values.length, clusters ? 'cr1_t' : 't')
}

function paired({ values, clusters, isBinary, excluded }: Column): OneSided | string {
  if (!clusters && isBinary) {
    const onlyNew = values.filter(value => value > 0).length
    return tangoDifference({ onlyNew, onlyOld: values.filter(value => value < 0).length, n: values.length })
  }
  if (!clusters && values.length <= EXACT_LIMIT) return signFlipMean(values)
  return student(plain({ values, clusters, isBinary, excluded }), values.length, clusters ? 'cr1_t' : 'paired_t')
}

function student(piece: ReturnType<Piece>, n: number, method: string): OneSided | string {
  if (typeof piece === 'string') return piece
  if (piece.se === 0) return 'All values are equal, so the data say nothing about how far their mean could be off.'
  return studentMean(piece.mean, piece.se, piece.df, n, method)
}
