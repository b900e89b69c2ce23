import { z } from 'zod'
import { clusteredStandardErrors, meanIntervalClustered } from '../../../engine/statistics/clusters.ts'
import { tQuantile } from '../../../engine/statistics/distributions/student-t.ts'
import { krippendorffAlpha } from '../../../engine/statistics/krippendorff.ts'
import { meanAndStandardError, meanIntervalT } from '../../../engine/statistics/means.ts'
import { mean, variance } from '../../../engine/statistics/sample.ts'
import {
  atLeast,
  collectScored,
  maxOf,
  meanOf,
  medianOf,
  modeOf,
  passAll,
  passAt,
  reduceEpochs,
} from '../../../engine/grading/scorers/inspect-ai/reducers.ts'
import { valueToFloat } from '../../../engine/grading/scorers/inspect-ai/value-to-float.ts'
import { list, numberList, option } from './read-row.ts'
import type { RunVector, VectorRow } from './vector-row.ts'

type Reduce = Parameters<typeof reduceEpochs>[1]

const count = z.number()
const threshold = z.number().default(1)

/** The epochs of a row; the file writes NaN as text. */
function epochs(row: VectorRow): readonly unknown[] {
  return list(row.output).map(value => (value === 'NaN' ? Number.NaN : value))
}

function reducer(make: (row: VectorRow) => Reduce): RunVector {
  return row => reduceEpochs(epochs(row), make(row))
}

/** The file describes the clusters in words: every fourth value, or all together. */
function clustersOf(row: VectorRow, values: readonly number[]): readonly string[] | null {
  const words = row.options['cluster']
  if (typeof words !== 'string') return null
  return values.map((_, i) => (words.startsWith('i % 4') ? String(i % 4) : 'all'))
}

function standardError(row: VectorRow): number | null {
  const values = numberList(row.output)
  const clusters = clustersOf(row, values)
  // Inspect gives 0 where a standard error does not exist; ours says that it does not.
  return (clusters ? clusteredStandardErrors(values, clusters).cr1 : meanAndStandardError(values).standardError) ?? 0
}

function interval(row: VectorRow): unknown {
  const values = numberList(row.output)
  const clusters = clustersOf(row, values)
  const level = option(row, 'level', z.number())
  const { value } = clusters ? meanIntervalClustered(values, clusters, level) : meanIntervalT(values, level)
  return { lower: value?.low ?? 0, upper: value?.high ?? 0 }
}

function alpha(row: VectorRow): number {
  const units = list(row.output).filter((unit): unit is unknown[] => Array.isArray(unit) && unit.length >= 2)
  return krippendorffAlpha(units.map(numberList), option(row, 'level', z.enum(['nominal', 'ordinal', 'interval']))).alpha ?? Number.NaN
}

export const inspectMetricVectors: Readonly<Record<string, RunVector>> = {
  'inspect_ai/reducer.mean': reducer(() => meanOf),
  'inspect_ai/reducer.median': reducer(() => medianOf),
  'inspect_ai/reducer.mode': reducer(() => modeOf),
  'inspect_ai/reducer.max': reducer(() => maxOf),
  'inspect_ai/reducer.at_least': reducer(row => atLeast(option(row, 'k', count), option(row, 'value', threshold))),
  'inspect_ai/reducer.pass_at': reducer(row => passAt(option(row, 'k', count), option(row, 'value', threshold))),
  'inspect_ai/reducer.pass_k': reducer(row => passAll(option(row, 'k', count), option(row, 'value', threshold))),
  'inspect_ai/reducer.collect': row => collectScored(epochs(row)),
  'inspect_ai/metric.accuracy': row => {
    const values = list(row.output).map(value => valueToFloat(value))
    return values.length === 0 ? 0 : mean(values)
  },
  'inspect_ai/metric.var': row => variance(numberList(row.output)),
  'inspect_ai/metric.stderr': standardError,
  'inspect_ai/metric.ci': interval,
  'inspect_ai/metric.t_critical': row => tQuantile(option(row, 'p', z.number()), option(row, 'df', z.number())),
  'inspect_ai/metric.krippendorff_alpha': alpha,
}
