import type { DifferenceBreakdown } from '../../../contract/comparisons/comparisons.schemas.ts'
import { dateFacets } from '../../../lib/task-dates.ts'
import { adjustPValues } from '../../statistics/adjustments.ts'
import { differences } from '../../statistics/differences.ts'
import { pairedDifference } from '../../statistics/paired.ts'
import { EXACT_LIMIT } from '../../statistics/permutation.ts'
import { mean } from '../../statistics/sample.ts'
import { tangoInterval } from '../../statistics/tango.ts'
import { compareTasks, type TaskValues, within } from './measure-difference.ts'
import type { FigureOf } from './task-figures.ts'
import type { TaskTags } from './task-tags.ts'

/** A dimension with more values (an id, for example) is left out: its table would be too long to read. */
const mostValues = 60

const noTags: TaskTags = { facets: {}, capabilities: [] }

type Part = Omit<DifferenceBreakdown, 'contender_id' | 'profile_id' | 'metric' | 'p_adjusted'>

/** The difference within every value of every facet and within every capability, except where a dimension splits nothing. */
export function breakDown(values: TaskValues, tags: readonly TaskTags[], level: number, seed: number): Part[] {
  return partsOf(tags).map(({ dimension, value, members }) => ({ dimension, value, ...measurePart(pick(values, members), level, seed) }))
}

/** The groups of tasks by facet and capability, each with the places of its tasks. */
export function partsOf(
  tags: readonly TaskTags[],
): { readonly dimension: string; readonly value: string; readonly members: readonly number[] }[] {
  const dimensions = new Map<string, Map<string, number[]>>()
  const put = (dimension: string, value: string, tasks: readonly number[]) => {
    const parts = dimensions.get(dimension) ?? new Map<string, number[]>()
    dimensions.set(dimension, parts)
    const members = parts.get(value) ?? []
    parts.set(value, members)
    for (const task of tasks) members.push(task)
  }
  // Many tasks have the same tags, so that whole groups of them are put at once.
  for (const [{ facets, capabilities }, tasks] of Map.groupBy(tags.keys(), task => tags[task] ?? noTags)) {
    for (const [dimension, value] of Object.entries(facets)) if (!dateFacets.includes(dimension)) put(dimension, value, tasks)
    for (const capability of capabilities) put('capability', capability, tasks)
  }
  return [...dimensions]
    .filter(([, parts]) => parts.size > 1 && parts.size <= mostValues && [...parts.values()].some(members => members.length < tags.length))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([dimension, parts]) =>
      [...parts].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).map(([value, members]) => ({ dimension, value, members })),
    )
}

/** p-values adjusted by Benjamini and Hochberg over all parts, in their order; null where there is no p. */
export function adjustForExploring(parts: readonly Pick<Part, 'p'>[]): (number | null)[] {
  const adjusted = adjustPValues(
    parts.flatMap(({ p }) => (p === null ? [] : [p])),
    'bh',
  )
  let next = 0
  return parts.map(({ p }) => (p === null ? null : (adjusted[next++] ?? null)))
}

export function pick({ contender, baseline, binary, unit = false, clusters, figures }: TaskValues, members: readonly number[]): TaskValues {
  const among =
    (figureOf: FigureOf): FigureOf =>
    places =>
      figureOf(places.map(place => members[place] ?? -1))
  return {
    contender: members.map(i => contender[i] ?? Number.NaN),
    baseline: members.map(i => baseline[i] ?? Number.NaN),
    binary,
    unit,
    clusters: clusters && members.map(i => clusters[i] ?? ''),
    ...(figures && { figures: { contender: among(figures.contender), baseline: among(figures.baseline) } }),
  }
}

/** Resamples of a part's figure. */
const fewReplicates = 500

/** As the whole is measured, but scores by a t interval: a bootstrap of every part would take longer than all the rest. */
export function measurePart(values: TaskValues, level: number, seed: number): Omit<Part, 'dimension' | 'value'> {
  const { contender, baseline, binary, clusters, figures } = values
  if (figures || binary || clusters || contender.length <= EXACT_LIMIT) {
    const compared = compareTasks(values, level, seed, fewReplicates)
    const { n, wins, losses, ties, difference, standardError, p, test, reason, means } = compared
    // One method for every part: their intervals are read beside each other, so none is widened to agree with its test.
    const interval = test === 'mcnemar_exact' ? tangoInterval({ onlyNew: wins, onlyOld: losses, n }, level).value : compared.interval
    return {
      n,
      ...means,
      difference,
      standard_error: standardError,
      interval,
      test: p === null ? null : test,
      p,
      wins,
      losses,
      ties,
      reason,
    }
  }
  const { n, difference, standardError, intervalT, pT, reason } = pairedDifference(contender, baseline, level)
  const gaps = differences(contender, baseline)
  const wins = gaps.filter(gap => gap > 0).length
  const losses = gaps.filter(gap => gap < 0).length
  return {
    n,
    baseline_mean: mean(baseline),
    contender_mean: mean(contender),
    difference,
    standard_error: standardError,
    interval: within(intervalT, values),
    test: pT === null ? null : 'paired_t',
    p: pT,
    wins,
    losses,
    ties: n - wins - losses,
    reason: intervalT === null ? reason : null,
  }
}
