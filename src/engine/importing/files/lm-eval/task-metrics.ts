import type { Metric } from '../../../../contract/catalog/benchmarks.schemas.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import type { PerplexityOptions } from '../../../grading/scorers/lm-eval/perplexity.scorer.ts'
import { ScorerConfigError } from '../../../grading/scorers/config-error.ts'
import { prepareScorer } from '../../../grading/scorers/registry.ts'
import type { YamlFile } from '../read-yaml.ts'
import { orderFault } from '../order-fault.ts'
import type { MetricEntry, TaskConfig } from './task-config.ts'
import { type Pipeline, pipelinesOf } from './task-filters.ts'

export interface TaskMetrics {
  readonly metrics: readonly Metric[]
  readonly warnings: readonly string[]
}

type Found = Omit<Metric, 'primary' | 'scorer_version'>

const matchOptions = ['ignore_case', 'ignore_punctuation', 'ignore_numbers', 'regexes_to_ignore']
const rouge = ['rouge1', 'rouge2', 'rougeL', 'rougeLsum']

/** Metrics of answers in text. */
const ofAnswers: Readonly<Record<string, (entry: MetricEntry) => Found>> = {
  exact_match: entry => ({
    ...metric('exact_match', 'Exact match', 'lm_eval/exact_match'),
    options: Object.fromEntries(
      matchOptions.flatMap(key => (entry[key] === undefined || entry[key] === null ? [] : [[key, truthOf(key, entry[key])]])),
    ),
  }),
  bleu: () => ({ ...metric('bleu', 'Corpus BLEU', 'sacrebleu/bleu'), binary: false, aggregation: 'bleu' }),
  chrf: () => ({ ...metric('chrf', 'Corpus chrF', 'sacrebleu/chrf'), binary: false, aggregation: 'chrf' }),
  ter: () => ({ ...metric('ter', '1 − corpus TER', 'sacrebleu/ter'), binary: false, aggregation: 'ter' }),
  wer: () => ({ ...metric('wer', '1 − word error rate', 'evaluate/wer'), binary: false, aggregation: 'error_rate' }),
  cer: () => ({ ...metric('cer', '1 − character error rate', 'evaluate/cer'), binary: false, aggregation: 'error_rate' }),
  ...Object.fromEntries(
    rouge.map(type => [
      type,
      (entry: MetricEntry) => ({
        ...metric(type, type.replace('rouge', 'ROUGE-'), 'rouge_score/rouge'),
        binary: false,
        options: { type, ...(entry['use_stemmer'] === true && { use_stemmer: true }) },
      }),
    ]),
  ),
  // Of Hugging Face, over the single answer.
  accuracy: () => metric('accuracy', 'Accuracy', 'lm_eval/exact_match'),
}

/** Metrics of measured choices. */
const ofChoices: Readonly<Record<string, () => Found>> = {
  acc: () => ({ ...metric('acc', 'Accuracy', 'lm_eval/multiple_choice'), options: { metric: 'acc' } }),
  acc_norm: () => ({ ...metric('acc_norm', 'Accuracy per character', 'lm_eval/multiple_choice'), options: { metric: 'acc_norm' } }),
  acc_bytes: () => ({ ...metric('acc_bytes', 'Accuracy per byte', 'lm_eval/multiple_choice'), options: { metric: 'acc_bytes' } }),
  acc_mutual_info: () => ({
    ...metric('acc_mutual_info', 'Accuracy less the likelihood without the question', 'lm_eval/multiple_choice'),
    options: { metric: 'acc_mutual_info' },
  }),
  brier_score: () => ({ ...metric('brier_score', '1 − Brier score ÷ 2', 'lm_eval/brier_score'), binary: false }),
  f1: () => ({ ...metric('f1', 'F1 of the second choice', 'lm_eval/multiple_choice'), options: { metric: 'acc' }, aggregation: 'f1' }),
  mcc: () => ({ ...metric('mcc', 'Matthews correlation', 'lm_eval/multiple_choice'), options: { metric: 'acc' }, aggregation: 'mcc' }),
}

/** Metrics of a measured continuation. */
const ofContinuations: Readonly<Record<string, () => Found>> = {
  acc: () => metric('acc', 'Greedy accuracy', 'lm_eval/loglikelihood'),
  perplexity: () => perplexity('perplexity', '1 ÷ perplexity', { per: 'text' }),
}

/** Metrics of a measured text. */
const ofTexts: Readonly<Record<string, () => Found>> = {
  word_perplexity: () => perplexity('word_perplexity', '1 ÷ word perplexity', { per: 'word' }),
  byte_perplexity: () => perplexity('byte_perplexity', '1 ÷ byte perplexity', { per: 'byte' }),
  bits_per_byte: () => perplexity('bits_per_byte', '2^−bits per byte', { per: 'byte', unit: 'bits' }),
}

const kinds: Readonly<Record<string, Readonly<Record<string, (entry: MetricEntry) => Found>>>> = {
  generate_until: ofAnswers,
  multiple_choice: ofChoices,
  loglikelihood: ofContinuations,
  loglikelihood_rolling: ofTexts,
}

/** Why a metric of the harness is not here. */
const reasons: Readonly<Record<string, string>> = {
  likelihood: 'it is no score',
  bypass: 'it measures nothing',
}

/** What an aggregation other than the metric's own is here; absent is the mean. */
const aggregations: Readonly<Record<string, Metric['aggregation'] | null>> = { mean: null, nanmean: null, median: 'median' }

/** How the harness calls the aggregation that a metric of ours has by itself. */
const ownNames: Readonly<Record<string, readonly unknown[]>> = {
  mcc: ['matthews_corrcoef'],
  perplexity: ['weighted_perplexity', 'bits_per_byte'],
  brier_score: ['brier_score'],
}

/** What a task of a kind is graded by where it does not say. */
const usualMetrics: Readonly<Record<string, readonly string[]>> = {
  generate_until: ['exact_match'],
  loglikelihood_rolling: Object.keys(ofTexts),
}

/**
 * The metrics of a task: one for each filter pipeline and metric. What is not known here is left out with a warning.
 * @throws OrderFault when none is left
 */
export function taskMetrics(config: TaskConfig, file: YamlFile): TaskMetrics {
  const { output_type: kind } = config
  const entries: readonly MetricEntry[] = config.metric_list ?? (usualMetrics[kind] ?? ['acc']).map(name => ({ metric: name }))
  const known = kinds[kind] ?? {}
  const read = entries.map(entry => metricOf(entry, known))
  const found = read.filter(one => typeof one !== 'string')
  const left = read.filter(one => typeof one === 'string')
  if (found.length === 0)
    throw orderFault(
      file.name,
      file.lineOf('metric_list'),
      `None of its metrics can be imported: ${left.join('; ')}. There are ${Object.keys(known).join(', ')}.`,
    )
  const pipelines = kind === 'generate_until' ? pipelinesOf(config) : { known: [{ name: 'none', steps: [] }], left: [] }
  if (pipelines.known.length === 0)
    throw orderFault(file.name, file.lineOf('filter_list'), `None of its filter pipelines can be imported: ${pipelines.left.join('; ')}.`)
  const metrics = pipelines.known.flatMap(pipeline => found.map(one => behind(one, pipeline, file)))
  return {
    metrics: metrics.map((one, i) => ({ ...one, scorer_version: 1, primary: i === 0 })),
    warnings: [
      ...textsForTruth(entries),
      ...(left.length > 0 ? [`Metrics that are left out: ${left.join('; ')}.`] : []),
      ...(pipelines.left.length > 0 ? [`Filter pipelines that are left out: ${pipelines.left.join('; ')}.`] : []),
    ],
  }
}

function metric(id: string, title: string, scorer: string): Found {
  const { primary: _, scorer_version: __, ...found } = binaryMetric(id, title, scorer)
  return found
}

function perplexity(id: string, title: string, options: Partial<PerplexityOptions>): Found {
  return { ...metric(id, title, 'lm_eval/perplexity'), options, binary: false, aggregation: 'perplexity' }
}

/** Or why it is left out. */
function metricOf(entry: MetricEntry, known: (typeof kinds)[string]): Found | string {
  const name = entry.metric.slice(0, 60)
  const make = Object.hasOwn(known, name) ? known[name] : undefined
  if (!make) return `"${name}"${reasonFor(name)}`
  const found = make(entry)
  const odd = oddOption(found.options)
  if (odd !== null) return `"${name}", because ${odd}`
  const wanted = entry['aggregation']
  if (
    wanted === undefined ||
    wanted === null ||
    wanted === found.aggregation ||
    ownNames[found.aggregation ?? found.id]?.includes(wanted) === true
  )
    return found
  const other = typeof wanted === 'string' ? aggregations[wanted] : undefined
  if (other === undefined || (found.aggregation !== undefined && other !== null))
    return `"${name}", because its aggregation ${JSON.stringify(wanted).slice(0, 60)} is not available here; there are ${Object.keys(aggregations).join(', ')}`
  if (other !== null) return { ...found, aggregation: other }
  const { aggregation: _, ...mean } = found
  return mean
}

/** A text in place of true or false is true to the harness, whatever it says; settings that are indented by mistake give one. */
function truthOf(key: string, value: unknown): unknown {
  return key !== 'regexes_to_ignore' && typeof value === 'string' ? value !== '' : value
}

function textsForTruth(entries: readonly MetricEntry[]): string[] {
  const found = entries.flatMap(entry =>
    matchOptions.flatMap(key => {
      const value = entry[key]
      return value === truthOf(key, value) || entry.metric !== 'exact_match'
        ? []
        : [`"${key}" is the text ${JSON.stringify(value).slice(0, 60)}`]
    }),
  )
  return found.length === 0 ? [] : [`Texts in place of true or false count as true, as in the harness: ${found.join(', ')}.`]
}

/** Options of a metric whose values are of another kind. */
function oddOption(options: Found['options']): string | null {
  for (const key of matchOptions) {
    const value = options[key]
    if (value === undefined) continue
    const fits =
      key === 'regexes_to_ignore' ? Array.isArray(value) && value.every(one => typeof one === 'string') : typeof value === 'boolean'
    if (!fits)
      return `its "${key}" is ${JSON.stringify(value).slice(0, 60)}, which must be ${key === 'regexes_to_ignore' ? 'a list of patterns' : 'true or false'}`
  }
  return null
}

function reasonFor(name: string): string {
  if (Object.hasOwn(reasons, name)) return `, because ${reasons[name]}`
  return name.includes('.') ? ', because it is Python' : ', which is not known here'
}

/** A metric of what a pipeline leaves of an output. */
function behind(found: Found, { name, steps }: Pipeline, file: YamlFile): Found {
  const options = { ...found.options, ...pipelineOptions(found.scorer, steps) }
  const own = name === 'none' ? found : { ...found, id: `${found.id}_${name}`, title: `${found.title}, ${name}` }
  try {
    prepareScorer({ scorer: found.scorer, options })
    return { ...own, options }
  } catch (error) {
    if (!(error instanceof ScorerConfigError)) throw error
    throw orderFault(file.name, file.lineOf('filter_list') ?? file.lineOf('metric_list'), `The filter "${name}": ${error.message}`)
  }
}

/** Short where the pipeline is at most white space and one pattern, as definitions before other filters were known. */
function pipelineOptions(scorer: string, steps: Pipeline['steps']): Record<string, unknown> {
  if (steps.length === 0) return {}
  const [first, second, third] = steps
  const isStripped = first?.function === 'remove_whitespace'
  const pattern = isStripped ? second : first
  const rest = isStripped ? third : second
  if (scorer === 'lm_eval/exact_match' && rest === undefined && (pattern === undefined || pattern.function === 'regex')) {
    const { function: _, ...regex } = pattern ?? { function: null }
    return { ...(isStripped && { strip: true }), ...(pattern && { regex }) }
  }
  return { filters: steps }
}
