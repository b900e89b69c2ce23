import { differences } from '../../statistics/differences.ts'
import { normalCdf, normalQuantile } from '../../statistics/distributions/normal.ts'
import { meanAndStandardError } from '../../statistics/means.ts'
import { exactRate, type OneSided, studentMean, tangoDifference } from '../../statistics/one-sided.ts'
import type { Estimated } from './estimate-rule.ts'
import type { ExternalFigures, GroupColumns } from './figures.ts'

interface Asked {
  readonly kind: 'min_score' | 'superiority' | 'non_inferiority'
  readonly group: string | null
  readonly metric: string | null
}

/** A rule that is tested on imported evidence: values per task where it has them, else its own standard error. */
export function estimateExternal(rule: Asked, groups: readonly GroupColumns[], all: readonly ExternalFigures[]): Estimated {
  const of = (side: ExternalFigures['side']) =>
    all.find(figures => figures.side === side && figures.group === rule.group && (rule.metric === null || figures.metric === rule.metric))
  const candidate = of('candidate')
  const where = rule.group === null ? 'the whole suite' : `the group "${rule.group}"`
  if (!candidate) return { why: `No evidence has figures of the candidate for ${where}${rule.metric ? ` and "${rule.metric}"` : ''}.` }
  if (rule.kind === 'min_score') return estimateScore(candidate)
  const baseline = of('baseline')
  if (!candidate.values || !baseline?.values)
    return { why: 'The evidence has no values per task for both sides, so it serves min_score rules alone.' }
  const known = new Set(groups.flatMap(({ tasks }) => tasks))
  const [first, second] = [candidate.values, baseline.values]
  const shared = Object.keys(first).filter(task => known.has(task) && second[task] !== undefined)
  const d = [...differences(valuesOf(first, shared), valuesOf(second, shared))]
  const excluded = Object.keys(first).length - shared.length
  if (d.length === 0) return { why: 'The evidence of both sides has no task of the suite in common.' }
  const isBinary = shared.every(task => isVerdict(first[task]) && isVerdict(second[task]))
  if (isBinary) {
    const counts = { onlyNew: d.filter(value => value > 0).length, onlyOld: d.filter(value => value < 0).length, n: d.length }
    return { one: tangoDifference(counts), fewClusters: false, excluded }
  }
  return ofMean(d, 'paired_t', excluded)
}

function estimateScore({ values, estimate, standardError, n }: ExternalFigures): Estimated {
  if (values) {
    const list = Object.values(values)
    if (list.length > 0 && list.every(isVerdict))
      return {
        one: exactRate(
          list.reduce((sum, value) => sum + value, 0),
          list.length,
        ),
        fewClusters: false,
        excluded: 0,
      }
    return ofMean(list, 't', 0)
  }
  if (standardError === null || standardError <= 0) return { why: 'The evidence states no standard error and has no values per task.' }
  return { one: normalMean(estimate, standardError, n), fewClusters: false, excluded: 0 }
}

function ofMean(values: readonly number[], method: string, excluded: number): Estimated {
  const { mean, standardError, reason } = meanAndStandardError(values)
  if (mean === null || standardError === null) return { why: reason ?? '' }
  if (standardError === 0) return { why: 'All values are equal, so they say nothing about how far their mean could be off.' }
  return { one: studentMean(mean, standardError, values.length - 1, values.length, method), fewClusters: false, excluded }
}

/** An estimate with a standard error that another tool stated. */
function normalMean(estimate: number, standardError: number, n: number): OneSided {
  return {
    method: 'stated_normal',
    n,
    estimate,
    standardError,
    lower: alpha => estimate + normalQuantile(alpha) * standardError,
    upper: alpha => estimate - normalQuantile(alpha) * standardError,
    above: t => normalCdf((t - estimate) / standardError),
    below: t => normalCdf((estimate - t) / standardError),
  }
}

function valuesOf(values: Readonly<Record<string, number>>, tasks: readonly string[]): number[] {
  return tasks.map(task => values[task] ?? Number.NaN)
}

function isVerdict(value: number | undefined): boolean {
  return value === 0 || value === 1
}
