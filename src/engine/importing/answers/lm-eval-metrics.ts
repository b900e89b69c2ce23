import { z } from 'zod'
import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { readExportedMetrics } from '../../tasks/exported-metrics.ts'
import { binaryMetric } from '../../tasks/metric.ts'
import { exportedMetric, withOnePrimary } from './exported-metric.ts'
import { type MetricPair, refusedOptions } from './foreign-log.ts'
import type { SampleRow } from './lm-eval-row.ts'

const Filter = z.object({ name: z.string(), filter: z.array(z.looseObject({ function: z.string() })) })
/** A task of the harness as its results state it. */
export const Config = z.looseObject({
  task_alias: z.string().nullish(),
  output_type: z.string().nullish(),
  filter_list: z.array(Filter).nullish(),
  metric_list: z.array(z.looseObject({ metric: z.string() })).nullish(),
  metadata: z.unknown().optional(),
})
const matchOptions = ['ignore_case', 'ignore_punctuation', 'ignore_numbers', 'regexes_to_ignore']
const likelihoodMetrics = new Set(['acc', 'acc_norm', 'acc_bytes'])

/** As the harness names the figure of a metric under a filter. */
export function logName(metric: string, filter: string): string {
  return `${metric},${filter}`
}

/** The metrics of a log that are computed here, and why others are not. */
export function metricsOf(
  rows: readonly SampleRow[],
  config: z.infer<typeof Config> | null,
  isChoice: boolean,
): { metrics: Metric[]; pairs: MetricPair[] } {
  const seen = new Map(
    rows.flatMap(row => [...row.values.keys()].map(metric => [logName(metric, row.filter), { metric, filter: row.filter }])),
  )
  const metrics: Metric[] = []
  const pairs = [...seen].map(([log, { metric, filter }]): MetricPair => {
    const exported = readExportedMetrics(config?.metadata)?.[metric]
    const made = exported
      ? exportedMetric(metric, exported)
      : isChoice
        ? choiceMetric(metric)
        : config === null && isFiltered(rows, filter)
          ? unknownFilter(filter)
          : matchMetric(metric, filter, config)
    if (typeof made === 'string') return { log, metric: null, reason: made }
    const reason = refusedOptions(made)
    if (reason !== null) return { log, metric: null, reason }
    metrics.push(made)
    return { log, metric: made.id, reason: null }
  })
  return { metrics: withOnePrimary(metrics), pairs }
}

/** Whether a filter made something else of an answer than what was answered. */
function isFiltered(rows: readonly SampleRow[], filter: string): boolean {
  return rows.some(row => row.filter === filter && row.filtered.length > 0 && row.filtered[0] !== row.resps[0]?.[0])
}

function unknownFilter(filter: string): string {
  return `How the filter "${filter}" works is not in the samples; send the results file as well.`
}

function choiceMetric(metric: string): Metric | string {
  if (!likelihoodMetrics.has(metric)) return `"${metric}" is not computed here.`
  return binaryMetric(metric, metric, 'lm_eval/multiple_choice', { options: { metric } })
}

function matchMetric(metric: string, filter: string, config: z.infer<typeof Config> | null): Metric | string {
  if (metric !== 'exact_match') return `"${metric}" is not computed here.`
  const entry = config?.metric_list?.find(one => one.metric === metric) ?? {}
  const steps = config?.filter_list?.find(one => one.name === filter)?.filter
  if (filter !== 'none' && !steps) return unknownFilter(filter)
  const options = {
    ...Object.fromEntries(Object.entries(entry).filter(([key, value]) => matchOptions.includes(key) && value !== null)),
    ...stepOptions(steps ?? []),
  }
  const unknown = steps?.find(({ function: of }) => !['take_first', 'remove_whitespace', 'regex'].includes(of))
  if (unknown) return `The filter "${unknown.function}" is not supported.`
  return binaryMetric(
    filter === 'none' ? metric : `${metric}_${filter}`,
    filter === 'none' ? 'Exact match' : `Exact match, ${filter}`,
    'lm_eval/exact_match',
    { options },
  )
}

function stepOptions(steps: readonly z.infer<typeof Filter>['filter'][number][]): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const { function: of, ...rest } of steps) {
    if (of === 'remove_whitespace' && options['regex'] === undefined) options['strip'] = true
    if (of === 'regex') options['regex'] = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  }
  return options
}
