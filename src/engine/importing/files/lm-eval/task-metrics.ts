import type { Metric } from '../../../../contract/index.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import { ScorerConfigError } from '../../../grading/scorers/config-error.ts'
import { prepareScorer } from '../../../grading/scorers/registry.ts'
import type { YamlFile } from '../read-yaml.ts'
import { orderFault } from '../order-fault.ts'
import type { FilterStep, MetricEntry, TaskConfig } from './task-config.ts'

export interface TaskMetrics {
  readonly metrics: readonly Metric[]
  readonly warnings: readonly string[]
}

const likelihoodMetrics = new Set(['acc', 'acc_norm', 'acc_bytes'])
const matchOptions = ['ignore_case', 'ignore_punctuation', 'ignore_numbers', 'regexes_to_ignore']

/**
 * The metrics of a task: one for each filter pipeline and metric. A metric that is not known here is left out with a warning.
 * @throws OrderFault when none is left, or a filter cannot be carried out
 */
export function taskMetrics(config: TaskConfig, file: YamlFile): TaskMetrics {
  const entries = config.metric_list ?? [{ metric: config.output_type === 'multiple_choice' ? 'acc' : 'exact_match' }]
  const isChoice = config.output_type === 'multiple_choice'
  const known = entries.filter(({ metric }) => (isChoice ? likelihoodMetrics.has(metric) : metric === 'exact_match'))
  const left = entries.filter(entry => !known.includes(entry)).map(({ metric }) => `"${metric}"`)
  if (known.length === 0)
    throw orderFault(
      file.name,
      file.lineOf('metric_list'),
      `None of its metrics can be imported (${left.join(', ')}); there are ${isChoice ? [...likelihoodMetrics].join(', ') : 'exact_match'}.`,
    )
  const metrics = isChoice ? known.map(choiceMetric) : matchMetrics(known, config, file)
  const warnings = left.length > 0 ? [`Metrics that are left out, since they are not known here: ${left.join(', ')}.`] : []
  return { metrics: metrics.map((metric, i) => ({ ...metric, primary: i === 0 })), warnings }
}

function choiceMetric({ metric }: MetricEntry): Metric {
  const title = { acc: 'Accuracy', acc_norm: 'Accuracy per character', acc_bytes: 'Accuracy per byte' }[metric] ?? metric
  return binaryMetric(metric, title, 'lm_eval/multiple_choice', { options: { metric } })
}

function matchMetrics(entries: readonly MetricEntry[], { filter_list: pipelines }: TaskConfig, file: YamlFile): Metric[] {
  const named = pipelines && pipelines.length > 0 ? pipelines : [{ name: 'none', filter: [{ function: 'take_first' }] }]
  return named.flatMap(({ name, filter }) =>
    entries.map(entry => {
      const options = {
        ...Object.fromEntries(matchOptions.flatMap(key => (entry[key] === undefined ? [] : [[key, entry[key]]]))),
        ...stepOptions(filter, name, file),
      }
      const title = name === 'none' ? 'Exact match' : `Exact match, ${name}`
      const metric = binaryMetric(name === 'none' ? 'exact_match' : `exact_match_${name}`, title, 'lm_eval/exact_match', { options })
      checkScorer(metric, name, file)
      return metric
    }),
  )
}

/** A pipeline as options of the scorer. */
function stepOptions(steps: readonly FilterStep[], name: string, file: YamlFile): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const { function: of, ...rest } of steps) {
    if (of === 'take_first') continue
    if (of === 'remove_whitespace') {
      // A match is stripped already.
      if (options['regex'] === undefined) options['strip'] = true
    } else if (of === 'regex' && options['regex'] === undefined) options['regex'] = rest
    else
      throw orderFault(
        file.name,
        file.lineOf('filter_list'),
        `The filter "${of.slice(0, 60)}" of "${name}" cannot be imported; there are take_first, remove_whitespace and one regex.`,
      )
  }
  return options
}

function checkScorer({ scorer, options }: Metric, name: string, file: YamlFile): void {
  try {
    prepareScorer({ scorer, options })
  } catch (error) {
    if (!(error instanceof ScorerConfigError)) throw error
    throw orderFault(file.name, file.lineOf('filter_list') ?? file.lineOf('metric_list'), `The filter "${name}": ${error.message}`)
  }
}
