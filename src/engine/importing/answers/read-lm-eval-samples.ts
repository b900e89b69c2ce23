import { z } from 'zod'
import type { Metric } from '../../../contract/index.ts'
import type { ProfileDefinition } from '../../tasks/definition.ts'
import { binaryMetric } from '../../tasks/metric.ts'
import { ownBenchmark } from '../../content/benchmarks/own-benchmark.ts'
import { readExportedMetrics } from '../../tasks/exported-metrics.ts'
import type { Task } from '../../tasks/task.ts'
import { exportedMetric, withOnePrimary } from './exported-metric.ts'
import { type ForeignLog, LogError, type MetricPair, parseLogJson, refusedOptions } from './foreign-log.ts'
import { type MatchedAnswer, noFacts } from './given-answer.ts'

const Arguments = z.record(z.string(), z.looseObject({ arg_0: z.union([z.string(), z.array(z.string())]), arg_1: z.unknown() }))
const Row = z.looseObject({
  doc_id: z.int().min(0),
  doc: z.record(z.string(), z.unknown()),
  target: z.union([z.string(), z.number(), z.array(z.unknown())]),
  arguments: Arguments,
  resps: z.array(z.array(z.unknown())),
  filter: z.string().default('none'),
  metrics: z.array(z.string()).default([]),
})
type Row = z.infer<typeof Row>

const Filter = z.object({ name: z.string(), filter: z.array(z.looseObject({ function: z.string() })) })
const Config = z.looseObject({
  output_type: z.string().nullish(),
  filter_list: z.array(Filter).nullish(),
  metric_list: z.array(z.looseObject({ metric: z.string() })).nullish(),
  metadata: z.unknown().optional(),
})
const Results = z.looseObject({
  configs: z.record(z.string(), Config),
  model_name: z.string().nullish(),
  model_source: z.string().nullish(),
  /** As `simple_evaluate` returns them, and Assay exports them. */
  samples: z.record(z.string(), z.array(z.unknown())).nullish(),
})

interface LogFile {
  readonly name: string
  readonly bytes: Buffer
}

const matchOptions = ['ignore_case', 'ignore_punctuation', 'ignore_numbers', 'regexes_to_ignore']
const likelihoodMetrics = new Set(['acc', 'acc_norm', 'acc_bytes'])

/**
 * The samples of one task of lm-evaluation-harness, one row for each document and filter, and the results of the run, which say how the
 * task filters and compares. @throws LogError
 */
export function readLmEvalSamples(files: readonly LogFile[], model: string | undefined): ForeignLog {
  const samples = files.filter(({ name }) => /\.jsonl(?:\.gz)?$/i.test(name))
  const others = files.filter(file => !samples.includes(file))
  const given = others.map(readResults)
  const { task, rows } = samplesOf(samples, given)
  const results = given.find(found => Object.hasOwn(found.configs, task)) ?? null
  const config = results?.configs[task] ?? null
  const documents = [...Map.groupBy(rows, row => row.doc_id)].sort(([a], [b]) => a - b)
  const isChoice = config?.output_type === 'multiple_choice' || isLikelihood(rows[0])
  const { metrics, pairs } = metricsOf(rows, config, isChoice)
  const models = results?.model_name ?? results?.model_source ?? model ?? 'unknown model'
  return {
    title: task,
    tasks: documents.map(([, of]) => taskOf(of, isChoice)),
    answers: documents.flatMap(([, of], taskIndex) =>
      answersOf(of, isChoice).map(answer => ({ ...answer, model: models, taskIndex, profileKey: 'recorded' })),
    ),
    pairs,
    warnings: results ? [] : ['The results file (results_*.json) was not sent, so that filters and their options are not known.'],
    define: (slug, title) => ({
      ...ownBenchmark(title, slug, false),
      summary: 'A task of lm-evaluation-harness, imported from its samples.',
      description: `The documents of a task of lm-evaluation-harness with the prompts as they were sent, imported under the name "${title}".`,
      runner: 'lm-eval',
      profiles: [profileOf(metrics, isChoice, documents)],
    }),
  }
}

/** The rows of one task: of a file of samples, or within the results. @throws LogError */
function samplesOf([file, second]: readonly LogFile[], given: readonly z.infer<typeof Results>[]): { task: string; rows: Row[] } {
  if (second && file) throw new LogError(`An import takes the samples of one task; "${file.name}" and "${second.name}" are two.`)
  if (file) {
    const task = /^samples_(.+?)(?:_\d{4}-\d\d-\d\dT.*)?\.jsonl(?:\.gz)?$/i.exec(file.name)?.[1] ?? 'lm-eval samples'
    return { task, rows: readRows(file) }
  }
  const [within, ...others] = given.flatMap(({ samples }) => Object.entries(samples ?? {}))
  if (!within) throw new LogError('There is no file of samples (samples_*.jsonl), and the results have none in them.')
  if (others.length > 0)
    throw new LogError(
      `An import takes the samples of one task; the results have those of ${[within, ...others].map(([name]) => `"${name}"`).join(', ')}.`,
    )
  const [task, rows] = within
  if (rows.length === 0) throw new LogError(`The task "${task}" has no samples.`)
  return { task, rows: rows.map((row, i) => readRow(row, `${task}, sample ${i + 1}`)) }
}

function readRow(value: unknown, place: string): Row {
  const parsed = Row.safeParse(value)
  if (parsed.success) return parsed.data
  throw new LogError(`${place} is no sample of lm-evaluation-harness: ${z.prettifyError(parsed.error).replaceAll('\n', ' ').slice(0, 200)}`)
}

function readResults({ name, bytes }: LogFile): z.infer<typeof Results> {
  const parsed = Results.safeParse(parseLogJson(bytes.toString('utf8'), name))
  if (!parsed.success) throw new LogError(`"${name}" is no results file of lm-evaluation-harness: it has no "configs".`)
  return parsed.data
}

function readRows({ name, bytes }: LogFile): Row[] {
  const rows = bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return []
      return [readRow(parseLogJson(line, `${name}, line ${i + 1}`), `"${name}", line ${i + 1},`)]
    })
  if (rows.length === 0) throw new LogError(`"${name}" has no samples.`)
  return rows
}

/** Likelihoods are pairs of a number, as text, and whether the continuation is the greedy one. */
function isLikelihood(row: Row | undefined): boolean {
  return row !== undefined && Array.isArray(row.resps[0]?.[0])
}

function profileOf(
  metrics: readonly Metric[],
  isChoice: boolean,
  documents: readonly (readonly [number, readonly Row[]])[],
): ProfileDefinition {
  const most = Math.max(1, ...documents.map(([, [row]]) => row?.resps.length ?? 1))
  return {
    key: 'recorded',
    title: 'As it was sent',
    summary: 'The prompt of each document as the harness sent it, worked examples included.',
    split: 'test',
    systemPrompt: null,
    promptTemplate: '{text}',
    shotTemplate: null,
    shots: 0,
    generation: { temperature: 0, max_output_tokens: isChoice ? 1 : 1024, stop: [] },
    metrics: metrics.length > 0 ? metrics : [binaryMetric('exact_match', 'Exact match', 'lm_eval/exact_match', { primary: true })],
    requires: isChoice ? ['loglikelihood'] : ['chat'],
    chanceLevel: null,
    breakdowns: [],
    ...(isChoice && { loglikelihood: { most } }),
  }
}

function taskOf(rows: readonly Row[], isChoice: boolean): Task {
  const [row] = rows
  if (!row) throw new LogError('A document has no rows.')
  const requests = Object.values(row.arguments)
  const prompt = requests[0]?.arg_0 ?? ''
  const target = Array.isArray(row.target) ? row.target.map(String) : [String(row.target)]
  return {
    id: String(row.doc_id),
    split: 'test',
    fields: { text: typeof prompt === 'string' ? prompt : prompt.join('\n') },
    targets: target,
    // The harness puts the delimiter, mostly a blank, before each choice.
    choices: isChoice ? requests.slice(0, row.resps.length).map(({ arg_1: choice }) => String(choice).replace(/^ /, '')) : null,
    metadata: {},
    capabilities: [],
    dependsOn: [],
  }
}

function answersOf(rows: readonly Row[], isChoice: boolean): Omit<MatchedAnswer, 'taskIndex' | 'model'>[] {
  const [row] = rows
  const scores = Object.fromEntries(rows.flatMap(valuesOf))
  if (!row) return []
  if (isChoice) {
    const loglikelihoods = row.resps.map(([first]) => (Array.isArray(first) ? Number(first[0]) : Number.NaN))
    return [{ ...noFacts, line: null, epoch: 1, output: JSON.stringify({ loglikelihoods }), scores }]
  }
  // The filters look at all answers of a document; only where there is one do they judge what an epoch is judged by here.
  const outputs = row.resps[0] ?? []
  return outputs.map((output, i) => ({
    ...noFacts,
    line: null,
    epoch: i + 1,
    output: String(output),
    scores: outputs.length === 1 ? scores : {},
  }))
}

function valuesOf(row: Row): [string, number][] {
  return row.metrics.flatMap((metric): [string, number][] => {
    const value = row[metric]
    return typeof value === 'number' || typeof value === 'boolean' ? [[logName(metric, row.filter), Number(value)]] : []
  })
}

/** As the results file calls it. */
function logName(metric: string, filter: string): string {
  return `${metric},${filter}`
}

function metricsOf(
  rows: readonly Row[],
  config: z.infer<typeof Config> | null,
  isChoice: boolean,
): { metrics: Metric[]; pairs: MetricPair[] } {
  const seen = new Map(rows.flatMap(row => row.metrics.map(metric => [logName(metric, row.filter), { metric, filter: row.filter }])))
  const metrics: Metric[] = []
  const pairs = [...seen].map(([log, { metric, filter }]): MetricPair => {
    const exported = readExportedMetrics(config?.metadata)?.[metric]
    const made = exported ? exportedMetric(metric, exported) : isChoice ? choiceMetric(metric) : matchMetric(metric, filter, config)
    if (typeof made === 'string') return { log, metric: null, reason: made }
    const reason = refusedOptions(made)
    if (reason !== null) return { log, metric: null, reason }
    metrics.push(made)
    return { log, metric: made.id, reason: null }
  })
  return { metrics: withOnePrimary(metrics), pairs }
}

function choiceMetric(metric: string): Metric | string {
  if (!likelihoodMetrics.has(metric)) return `"${metric}" is not computed here.`
  return binaryMetric(metric, metric, 'lm_eval/multiple_choice', { options: { metric } })
}

function matchMetric(metric: string, filter: string, config: z.infer<typeof Config> | null): Metric | string {
  if (metric !== 'exact_match') return `"${metric}" is not computed here.`
  const entry = config?.metric_list?.find(one => one.metric === metric) ?? {}
  const steps = config?.filter_list?.find(one => one.name === filter)?.filter
  if (filter !== 'none' && !steps) return `How the filter "${filter}" works is not in the samples; send the results file as well.`
  const options = {
    ...Object.fromEntries(Object.entries(entry).filter(([key, value]) => matchOptions.includes(key) && value !== null)),
    ...stepOptions(steps ?? []),
  }
  const unknown = steps?.find(({ function: of }) => !['take_first', 'remove_whitespace', 'regex'].includes(of))
  if (unknown) return `The filter "${unknown.function}" is not carried out here.`
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
