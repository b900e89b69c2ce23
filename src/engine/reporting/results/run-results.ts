import { createHash } from 'node:crypto'
import { dateFacets } from '../../../lib/task-dates.ts'
import { macroMean } from '../../statistics/macro-mean.ts'
import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import type { Breakdown, MacroMean, MetricResult, Results } from '../../../contract/runs/results.schemas.ts'
import { isUnitScorer } from '../../grading/scorers/value-kind.ts'
import { correctJudgeRate } from '../../statistics/judge-correction.ts'
import { createAggregateTally } from './aggregate-tally.ts'
import { createNoticeTally } from './answer-notices.ts'
import { createLossCount } from './lost-notices.ts'
import { createLabelTally, givesLabels } from './label-shares.ts'
import { originalFigure } from './original-figure.ts'
import { createGroupTally } from './group-tally.ts'
import { createMetricTally, type MetricTally } from './metric-tally.ts'
import { quantilesOf } from './quantiles.ts'
import type { ResultSample } from './result-sample.ts'

/** The part of a result that is computed from the samples. */
export type SampleResults = Pick<
  Results,
  'metrics' | 'breakdowns' | 'macro_means' | 'label_shares' | 'errors' | 'usage' | 'latency_ms' | 'output_tokens' | 'notices'
> & {
  readonly samples_digest: string
}

/** A dimension with more values (an id, for example) is left out: its table would be too long to read. */
const mostValues = 60

/** Facet whose equal values mark dependent tasks, as comparisons take it by default. */
const clusterFacet = 'cluster'
/** Facets with a use of their own, so that results are not broken down by them. */
const ownUse: ReadonlySet<string> = new Set([clusterFacet, ...dateFacets])

/** One pass over the samples, in order. @param epochs that the run made of each task */
export function summarizeSamples(
  profiles: readonly FrozenProfile[],
  samples: Iterable<ResultSample>,
  sampleIdAt: (position: number) => string,
  epochs: number,
  retries: number,
): SampleResults {
  const metrics = profiles.map(profile => profile.metrics.map(createTally))
  const facets = profiles.map(() => new Map<string, Map<string, MetricTally>>())
  const labels = profiles.map(({ profile_id: profileId, metrics: all }) =>
    all.flatMap((metric, metricNo) =>
      givesLabels(metric) ? createLabelTally({ profileId, metric: metric.id, metricNo, clusterFacet }) : [],
    ),
  )
  const errors = new Map<string, Results['errors'][number]>()
  const digest = createHash('sha256')
  const latencies: number[] = []
  const outputTokens: number[] = []
  const usage = createUsage()
  const notRun = profiles.map(() => 0)
  const losses = createLossCount()
  const notices = createNoticeTally()

  for (const sample of samples) {
    const profile = profiles[sample.profileNo]
    if (!profile) throw new RangeError(`Sample ${sample.position} names profile ${sample.profileNo}, which the run does not have.`)
    digest.update(digestLine(sample))
    usage.add(sample)
    if (neverRun.has(sample.status)) notRun[sample.profileNo] = (notRun[sample.profileNo] ?? 0) + 1
    losses.add(sample)
    notices.add(sample)
    if (sample.latencyMs !== null) latencies.push(sample.latencyMs)
    if (sample.outputTokens !== null) outputTokens.push(sample.outputTokens)
    if (sample.errorCode !== null && sample.status !== 'scored') countError(errors, sample, sampleIdAt)
    const tallies = metrics[sample.profileNo] ?? []
    for (const [metricNo, tally] of tallies.entries()) addTo(tally, sample, metricNo)
    for (const tally of labels[sample.profileNo] ?? []) tally.add(sample)
    const primary = primaryOf(profile)
    for (const [dimension, value] of Object.entries(sample.facets))
      if (!ownUse.has(dimension)) addTo(facetTally(facets[sample.profileNo], dimension, value, profile), sample, primary)
  }
  const groups = profiles.map((_, i) => groupsOf(facets[i] ?? new Map()))
  const breakdowns = profiles.flatMap((profile, i) => breakdownsOf(profile, groups[i] ?? []))
  const shares = labels.flatMap((tallies, i) => {
    const values = (groups[i] ?? []).map(([dimension, of]) => [dimension, of.map(([value]) => value)] as const)
    return tallies.flatMap(tally => tally.shares(values))
  })
  return {
    metrics: profiles.flatMap((profile, i) => metricResults(profile, metrics[i] ?? [], epochs, notRun[i] ?? 0)),
    breakdowns,
    macro_means: macroMeansOf(breakdowns),
    ...(shares.length > 0 && { label_shares: shares }),
    errors: [...errors.values()].sort((a, b) => b.count - a.count),
    usage: usage.total(retries),
    latency_ms: quantilesOf(latencies),
    output_tokens: quantilesOf(outputTokens),
    notices: [...notices.notices(), ...losses.notices()],
    samples_digest: digest.digest('hex'),
  }
}

function createTally(metric: Metric | undefined): MetricTally {
  if (metric?.aggregation === 'all_of_group') return createGroupTally()
  return metric?.aggregation
    ? createAggregateTally({ ...metric, aggregation: metric.aggregation })
    : createMetricTally(metric?.binary ?? false, metric !== undefined && isUnitScorer(metric))
}

function addTo(tally: MetricTally, sample: ResultSample, metricNo: number): void {
  const score = sample.scores[metricNo]
  const cluster = sample.facets[clusterFacet]
  if (sample.status === 'scored' && score) tally.add(sample.taskId, score.value, cluster, score.counts, score.answer)
  else tally.miss(sample.taskId, cluster)
}

/** What the sample is and how it ended, without times: two runs that went alike have the same digest. */
function digestLine(sample: ResultSample): string {
  const scores = sample.scores.map(score => `${score.class}:${score.value ?? ''}`).join(',')
  return `${sample.position}\t${sample.profileNo}\t${sample.taskId}\t${sample.epoch}\t${sample.status}\t${scores}\n`
}

function primaryOf(profile: FrozenProfile): number {
  return Math.max(
    0,
    profile.metrics.findIndex(metric => metric.primary),
  )
}

function facetTally(
  dimensions: Map<string, Map<string, MetricTally>> | undefined,
  dimension: string,
  value: string,
  profile: FrozenProfile,
): MetricTally {
  const values = dimensions?.get(dimension) ?? new Map<string, MetricTally>()
  dimensions?.set(dimension, values)
  const tally = values.get(value) ?? createTally(profile.metrics[primaryOf(profile)])
  values.set(value, tally)
  return tally
}

/** Sample states in which no answer was ever sought. */
const neverRun: ReadonlySet<string> = new Set(['missing', 'cancelled'])

function metricResults(profile: FrozenProfile, tallies: readonly MetricTally[], epochs: number, notRun: number): MetricResult[] {
  return profile.metrics.flatMap((metric, i) => {
    const tally = tallies[i]
    if (!tally) return []
    const { worst, best } = tally.bounds()
    const posterior = tally.posterior()
    const signature = tally.signature()
    const { scorer, scorer_version } = metric
    const estimate = tally.estimate()
    const result: MetricResult = {
      profile_id: profile.profile_id,
      metric: metric.id,
      title: metric.title,
      scorer,
      scorer_version,
      ...(signature !== null && { signature }),
      ...originalFigure(metric, estimate),
      primary: metric.primary,
      estimate,
      unscored: tally.unscored,
      ...(notRun > 0 && { not_run: notRun }),
      chance_level: metric.primary && !metric.aggregation ? profile.chance_level : null,
      worst_case: worst,
      best_case: best,
      ...(posterior && { posterior }),
      ...(metric.evaluator && { evaluator: { ...metric.evaluator, corrected_pass_rate: correctedRate(metric, estimate) } }),
    }
    const { posterior: _, original: __, ...withoutPosterior } = result
    const repeated = tally.repeated(epochs).map(
      ({ kind, k, estimate }): MetricResult => ({
        ...withoutPosterior,
        metric: `${metric.id}.${attemptNames[kind].id}_${k}`,
        title: `${metric.title}, ${attemptNames[kind].title}${k}`,
        primary: false,
        estimate,
        chance_level: null,
        worst_case: null,
        best_case: null,
        attempts: { kind, k, metric: metric.id },
      }),
    )
    return [result, ...repeated]
  })
}

const attemptNames = {
  pass_at_k: { id: 'pass_at', title: 'pass@' },
  pass_hat_k: { id: 'pass_hat', title: 'pass^' },
  majority: { id: 'majority', title: 'maj@' },
} as const

/** What the rate would be without the evaluator's errors, where its calibration tells how often it errs. */
function correctedRate(
  { binary, evaluator }: Metric,
  { n, mean, interval }: MetricResult['estimate'],
): NonNullable<MetricResult['evaluator']>['corrected_pass_rate'] {
  if (!binary || !evaluator?.rates || mean === null) return null
  const found = correctJudgeRate({ judgeRate: mean, n, ...evaluator.rates }, interval?.level ?? 0.95)
  return { mean: found.rate, low: found.interval?.low ?? null, high: found.interval?.high ?? null, reason: found.reason }
}

/** Values by dimension with their tallies, in the order in which they are shown. */
type Groups = readonly (readonly [dimension: string, values: readonly (readonly [value: string, tally: MetricTally])[]])[]

function groupsOf(dimensions: ReadonlyMap<string, ReadonlyMap<string, MetricTally>>): Groups {
  return [...dimensions]
    .filter(([, values]) => values.size > 1 && values.size <= mostValues)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([dimension, values]) => [dimension, [...values].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))])
}

function breakdownsOf(profile: FrozenProfile, groups: Groups): Breakdown[] {
  const metric = profile.metrics[primaryOf(profile)]?.id ?? ''
  return groups.flatMap(([dimension, values]) =>
    values.map(([value, tally]) => ({ profile_id: profile.profile_id, metric, dimension, value, estimate: tally.estimate() })),
  )
}

/** Months are not groups of one kind, so that a mean over them means nothing. */
const noGroups: ReadonlySet<string> = new Set(['month'])
const level = 0.95

function macroMeansOf(breakdowns: readonly Breakdown[]): MacroMean[] {
  return [
    ...Map.groupBy(breakdowns, ({ profile_id, metric, dimension }) => JSON.stringify([profile_id, metric, dimension])).values(),
  ].flatMap((parts): MacroMean[] => {
    const [first] = parts
    if (!first || noGroups.has(first.dimension)) return []
    const { profile_id, metric, dimension } = first
    const groups = parts.map(({ estimate: { mean, standard_error: standardError, interval } }) => ({ mean, standardError, interval }))
    const { groups: count, mean, standardError, interval, reason } = macroMean(groups, level)
    return [
      { profile_id, metric, dimension, groups: count, mean, standard_error: standardError, interval: interval && { ...interval }, reason },
    ]
  })
}

function countError(errors: Map<string, Results['errors'][number]>, sample: ResultSample, sampleIdAt: (position: number) => string): void {
  const code = sample.errorCode ?? 'unknown'
  const known = errors.get(code)
  if (known) errors.set(code, { ...known, count: known.count + 1 })
  else errors.set(code, { code, message: sample.errorMessage ?? '', count: 1, sample_id: sampleIdAt(sample.position) })
}

function createUsage() {
  const sources = new Set<string>()
  let calls = 0
  /** Null after the first answer without a count: a sum of the others would be too low. */
  let input: number | null = 0
  let output: number | null = 0
  return {
    add: (sample: ResultSample) => {
      if (sample.attempts > 0) calls++
      if (sample.status === 'scored') {
        input = plus(input, sample.inputTokens)
        output = plus(output, sample.outputTokens)
      }
      if (sample.tokensSource) sources.add(sample.tokensSource)
    },
    total: (retries: number): Results['usage'] => ({
      model_calls: calls + retries,
      retries,
      input_tokens: input,
      output_tokens: output,
      tokens_counted_by: sources.size > 1 ? 'both' : sources.has('provider') ? 'provider' : sources.has('tokenizer') ? 'tokenizer' : 'none',
    }),
  }
}

function plus(sum: number | null, count: number | null): number | null {
  return sum === null || count === null ? null : sum + count
}
