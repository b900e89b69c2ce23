import { z } from 'zod'
import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { binaryMetric } from '../../tasks/metric.ts'
import { choiceMetrics } from '../../content/benchmarks/choice-profile.ts'
import { ownBenchmark } from '../../content/benchmarks/own-benchmark.ts'
import type { Task } from '../../tasks/task.ts'
import { choiceReleaseOf, choiceReleases } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import { valueToFloat } from '../../grading/scorers/inspect-ai/value-to-float.ts'
import { RowError } from '../files/row.ts'
import { isConversation, readConversation, taskInput } from '../messages/read-conversation.ts'
import { readExportedMetrics } from '../../tasks/exported-metrics.ts'
import { openZip } from '../../archives/read-zip.ts'
import { exportedMetric, withOnePrimary } from './exported-metric.ts'
import {
  fittingId,
  type ForeignLog,
  type LogAnswer,
  LogError,
  readEach,
  type MetricPair,
  parseLogJson,
  refusedOptions,
} from './foreign-log.ts'
import type { MatchedAnswer } from './given-answer.ts'
import { countedLogs } from './inspect-counts.ts'
import { longestLabel } from '../../../contract/runs/results.schemas.ts'

const Scorers = z.array(z.looseObject({ name: z.string(), options: z.record(z.string(), z.unknown()).nullish() }))
const Header = z.looseObject({
  eval: z.looseObject({
    packages: z.looseObject({ inspect_ai: z.string() }).nullish().catch(null),
    task: z.string(),
    model: z.string(),
    scorers: Scorers.nullish(),
    metadata: z.unknown().optional(),
    dataset: z
      .looseObject({
        sample_ids: z
          .array(z.union([z.string(), z.number()]))
          .nullish()
          .catch(null),
      })
      .nullish()
      .catch(null),
    config: z
      .looseObject({ epochs: z.int().nullish().catch(null) })
      .nullish()
      .catch(null),
  }),
  results: z
    .looseObject({
      total_samples: z.int().nullish().catch(null),
      scores: z
        .array(z.looseObject({ name: z.string(), scorer: z.string().nullish(), params: z.record(z.string(), z.unknown()).nullish() }))
        .nullish(),
    })
    .nullish(),
})
const Part = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  reasoning: z.string().nullish(),
  redacted: z.boolean().nullish(),
})
const Content = z.union([z.string(), z.array(Part)])
const Score = z.looseObject({ value: z.unknown(), explanation: z.string().nullish().catch(null) })
/** Inspect writes texts; logs that other programs write hold numbers and booleans too. */
const TargetText = z.union([z.string(), z.number().transform(String), z.boolean().transform(value => (value ? 'True' : 'False'))])
const Sample = z.looseObject({
  id: z.union([z.string(), z.number()]),
  epoch: z
    .int()
    .min(1)
    .nullish()
    .transform(epoch => epoch ?? 1),
  input: z.unknown(),
  choices: z.array(z.string()).nullish(),
  target: z.union([TargetText, z.array(TargetText)]).default(''),
  output: z
    .looseObject({
      choices: z
        .array(z.looseObject({ message: z.looseObject({ content: Content.nullish() }), stop_reason: z.string().nullish().catch(null) }))
        .nullish(),
      usage: z.looseObject({ input_tokens: z.number().nullish(), output_tokens: z.number().nullish() }).nullish(),
      time: z.number().nullish(),
    })
    .nullish(),
  scores: z.record(z.string(), Score).nullish(),
  score: Score.nullish(),
  error: z.looseObject({ message: z.string() }).nullish(),
  attachments: z.record(z.string(), z.string()).nullish(),
})
type Sample = z.infer<typeof Sample>

/** The scorers of Inspect that are here under the same rules. */
const known = new Set(['match', 'includes', 'pattern', 'answer', 'choice', 'exact', 'f1', 'math'])
const nonBinary = new Set(['f1'])

interface InspectFile {
  readonly header: z.infer<typeof Header>
  readonly samples: readonly Sample[]
}

/** A log with its tasks by their ids. */
type NamedLog = InspectFile & { readonly name: string; readonly tasks: ReadonlyMap<string, { readonly task: Task; readonly text: string }> }

/** Logs of Inspect, each of them of a task and a model; those of one task whose samples agree are one. @throws LogError */
export function readInspectLogs(files: readonly { readonly name: string; readonly bytes: Buffer }[]): ForeignLog[] {
  const sets: NamedLog[][] = []
  const empty: string[] = []
  const read = readEach(files, file => ({ file, log: readFile(file) }))
  for (const { file, log } of read.found) {
    if (log.samples.length === 0) {
      empty.push(file.name)
      continue
    }
    const idOf = taskIdsOf(log.samples)
    const tasks = new Map(
      log.samples.map(sample => {
        const task = taskOf(sample, idOf(sample), file.name)
        return [task.id, { task, text: JSON.stringify(task) }] as const
      }),
    )
    const named = { ...log, name: file.name, tasks }
    const set = sets.find(one => one.every(other => agree(other, named)))
    if (set) set.push(named)
    else sets.push([named])
  }
  const [first] = empty
  if (sets.length === 0 && first !== undefined) throw new LogError(`"${first}" has no samples: the evaluation was stopped, or logged none.`)
  const warnings = [...read.warnings, ...empty.map(name => `"${name}" has no samples and was left out.`)]
  return sets.map((logs, i) => logOf(logs, i === 0 ? warnings : []))
}

function agree(a: NamedLog, b: NamedLog): boolean {
  if (a.header.eval.task !== b.header.eval.task) return false
  return [...b.tasks].every(([id, { text }]) => (a.tasks.get(id)?.text ?? text) === text)
}

function logOf(logs: readonly NamedLog[], warnings: readonly string[]): ForeignLog {
  const [first] = logs
  if (!first) throw new LogError('There is no log.')
  const tasks = new Map<string, { readonly index: number; readonly task: Task }>()
  const answers: LogAnswer[] = []
  for (const [run, { header, samples, tasks: own }] of logs.entries()) {
    const idOf = taskIdsOf(samples)
    for (const sample of samples) {
      const id = idOf(sample)
      const task = own.get(id)?.task
      if (!task) throw new Error(`The sample "${id}" has no task.`)
      const index = tasks.get(id)?.index ?? tasks.size
      if (index === tasks.size) tasks.set(id, { index, task })
      answers.push({ ...answerOf(sample, header.eval.model), taskIndex: index, profileKey: 'zero-shot', run })
    }
  }
  const { metrics: stated, pairs } = metricsOf(
    first.header,
    logs.flatMap(({ samples }) => samples),
  )
  const metrics = withRobustChoice(
    stated,
    [...tasks.values()].map(({ task }) => task),
  )
  return {
    title: first.header.eval.task,
    tasks: [...tasks.values()].map(({ task }) => task),
    answers,
    isGraded: metrics.length > 0,
    counted: countedLogs(logs),
    pairs: pairs.map(pair => ({ ...pair, release: releaseOf(first.header) })),
    warnings,
    define: (slug, title) => {
      const own = ownBenchmark(title, slug, first.samples[0]?.choices != null)
      return {
        ...own,
        summary: 'A task of Inspect, imported from its log.',
        description: `The samples of a log of Inspect, imported under the name "${title}".`,
        profiles: own.profiles.map(profile => (metrics.length > 0 ? { ...profile, metrics } : profile)),
      }
    },
  }
}

function releaseOf({ eval: { packages } }: z.infer<typeof Header>): string | null {
  return packages ? `inspect_ai ${packages.inspect_ai.slice(0, 60)}` : null
}

function readFile({ name, bytes }: { readonly name: string; readonly bytes: Buffer }): InspectFile {
  if (bytes.toString('latin1', 0, 2) !== 'PK') {
    const log = parse(Header.extend({ samples: z.array(Sample).nullish() }), parseLogJson(bytes.toString('utf8'), name), name)
    return { header: log, samples: log.samples ?? [] }
  }
  const archive = openZip(bytes, 'last counts')
  const read = (entry: string): unknown => parseLogJson(archive.read(entry).toString('utf8'), `${name}/${entry}`)
  const headerName = ['header.json', '_journal/start.json'].find(entry => archive.names.includes(entry))
  if (headerName === undefined) throw new LogError(`Send "${name}" as Inspect wrote it: this archive has no header.json.`)
  const entries = archive.names.filter(entry => /^samples\/(?:.+_epoch_\d+(?:\/sample)?|[^/]+)\.json$/.test(entry))
  return {
    header: parse(Header, read(headerName), name),
    samples: entries.map(entry => parse(Sample, read(entry), `${name}/${entry}`)).sort(bySampleId),
  }
}

function parse<Value>(schema: z.ZodType<Value>, value: unknown, name: string): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new LogError(`Send "${name}" as Inspect wrote it (.eval or .json): in this file ${describeFirst(parsed.error.issues, 'the log')}.`)
}

function bySampleId(a: Sample, b: Sample): number {
  if (typeof a.id === 'number' && typeof b.id === 'number' && a.id !== b.id) return a.id - b.id
  const [left, right] = [String(a.id), String(b.id)]
  return left === right ? a.epoch - b.epoch : left < right ? -1 : 1
}

/** Inspect tells the number 1 from the text "1"; where a log has both, the number says so. */
function taskIdsOf(samples: readonly Sample[]): (sample: Sample) => string {
  const texts = new Set(samples.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])))
  return ({ id }) => (typeof id === 'number' && texts.has(String(id)) ? `${id} (number)` : fittingId(String(id)))
}

function taskOf(sample: Sample, id: string, file: string): Task {
  return {
    id,
    split: 'test',
    ...inputOf(sample, file),
    targets: targetsOf(sample),
    choices: sample.choices ?? null,
    metadata: sample.choices ? { answer_template: 'ANSWER: {answer}' } : {},
    capabilities: [],
    dependsOn: [],
  }
}

/** Of choices, all that are right are one target, as Inspect takes them. */
function targetsOf({ target, choices }: Sample): readonly string[] {
  if (!Array.isArray(target)) return [target]
  return choices ? [target.join(',')] : target
}

function inputOf(sample: Sample, file: string): Pick<Task, 'fields' | 'conversations'> {
  const input = resolved(sample.input, sample)
  if (typeof input === 'string' && input.trim() !== '') return { fields: { input } }
  const unreadable = `"${file}": the input of the sample "${sample.id}" cannot be read as text.`
  if (!isConversation(input)) throw new LogError(unreadable)
  try {
    const { messages, answer } = readConversation(input, 'input')
    if (answer !== null) throw new LogError(`${unreadable} It ends with an answer of the model.`)
    return taskInput(messages)
  } catch (error) {
    throw error instanceof RowError ? new LogError(`"${file}": the sample "${sample.id}": ${error.message}`) : error
  }
}

/** With the long texts that the log stores once. */
function resolved(value: unknown, sample: Sample): unknown {
  if (typeof value === 'string') return resolve(value, sample)
  if (Array.isArray(value)) return value.map(item => resolved(item, sample))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, sample)]))
}

function answerOf(sample: Sample, model: string): Omit<MatchedAnswer, 'taskIndex'> {
  const [choice] = sample.output?.choices ?? []
  const content = choice?.message.content ?? null
  const parts = typeof content === 'string' ? [] : (content ?? [])
  // What is redacted is encrypted, and no text.
  const thoughts = parts.flatMap(part => (part.type === 'reasoning' && part.reasoning && part.redacted !== true ? [part.reasoning] : []))
  const text =
    typeof content === 'string'
      ? content
      : (content?.flatMap(part => (part.type === 'text' && part.text ? [part.text] : [])).join('') ?? null)
  const { usage, time } = sample.output ?? {}
  const scores = scoresOf(sample)
  return {
    line: null,
    epoch: sample.epoch,
    model,
    // What Inspect scored was an answer, if an empty one.
    output: sample.error ? null : (resolve(text, sample) ?? (Object.keys(scores).length > 0 ? '' : null)),
    reasoning: thoughts.length === 0 ? null : thoughts.map(thought => resolve(thought, sample)).join('\n\n'),
    // Inspect's own default where a provider's word was lost says nothing.
    finishReason: choice?.stop_reason === 'unknown' ? null : (choice?.stop_reason ?? null),
    error: sample.error?.message ?? null,
    inputTokens: usage?.input_tokens ?? null,
    outputTokens: usage?.output_tokens ?? null,
    latencyMs: time == null ? null : time * 1000,
    scores,
    reasons: reasonsOf(sample),
    labels: labelsOf(sample),
  }
}

/** Long texts are stored once in a log, under their hash. */
function resolve(text: string | null, { attachments }: Sample): string | null {
  const key = text === null ? null : /^(?:attachment|tc):\/\/(\w+)$/.exec(text)?.[1]
  return key == null ? text : (attachments?.[key] ?? text)
}

/** The scores of a sample, and those that a score consists of. */
function partsOf({ scores, score }: Sample) {
  return Object.entries(scores ?? (score ? { score } : {})).flatMap(([name, { value, explanation }]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([key, part]: [string, unknown]) => ({ name: `${name}/${key}`, value: part, explanation }))
      : value === null || value === undefined || Array.isArray(value)
        ? []
        : [{ name, value, explanation }],
  )
}

function scoresOf(sample: Sample): Record<string, number> {
  return Object.fromEntries(partsOf(sample).flatMap(({ name, value }) => (value === null ? [] : [[name, valueToFloat(value)]])))
}

/** Verdicts in words: grades, and whatever else a scorer writes in place of a number. */
function labelsOf(sample: Sample): Record<string, string> {
  return Object.fromEntries(
    partsOf(sample).flatMap(({ name, value }) => {
      const text = typeof value === 'string' ? value.trim() : ''
      return text === '' || text.length > longestLabel || Number.isFinite(Number(text)) ? [] : [[name, text]]
    }),
  )
}

function reasonsOf(sample: Sample): Record<string, string> {
  return Object.fromEntries(
    partsOf(sample).flatMap(({ name, explanation }) => {
      const text = resolve(explanation ?? null, sample)
      return text === null || text.trim() === '' ? [] : [[name, text]]
    }),
  )
}

function metricsOf(
  { eval: spec, results }: z.infer<typeof Header>,
  samples: readonly Sample[],
): { metrics: Metric[]; pairs: MetricPair[] } {
  const stated = new Map((spec.scorers ?? []).map(({ name, options }) => [bareName(name), options ?? {}]))
  for (const { name, scorer, params } of results?.scores ?? [])
    if (!stated.has(bareName(scorer ?? name))) stated.set(bareName(scorer ?? name), params ?? {})
  const names = new Set(samples.flatMap(sample => Object.keys(scoresOf(sample))))
  const metrics: Metric[] = []
  const ours = readExportedMetrics(spec.metadata)
  const pairs = [...names].map((log): MetricPair => {
    const exported = ours?.[log]
    if (exported) {
      const metric = exportedMetric(log, exported)
      if (typeof metric === 'string') return { log, metric: null, reason: metric }
      metrics.push(metric)
      return { log, metric: metric.id, reason: null }
    }
    const name = bareName(log)
    const options = stated.get(name) ?? (names.size === 1 ? ([...stated.values()][0] ?? {}) : {})
    const scorer = known.has(name) ? name : names.size === 1 && stated.size === 1 ? ([...stated.keys()][0] ?? name) : name
    const reason = reasonAgainst(scorer, options)
    if (reason !== null) return { log, metric: null, reason }
    const release = choiceReleaseOf(spec.packages?.inspect_ai ?? '')
    // A log is graded by the rule of its own release where that is another.
    const own = scorer === 'choice' && release !== choiceReleases.at(-1) ? { ...options, release } : options
    const binary = binaryMetric(scorer, `Inspect ${scorer}`, `inspect_ai/${scorer}`, { options: own })
    metrics.push({ ...binary, binary: !nonBinary.has(scorer) })
    return { log, metric: scorer, reason: null }
  })
  return { metrics: withOnePrimary(metrics), pairs }
}

/** Our own reading of choices decides, beside the copy of the scorer that the log's score is compared with. */
function withRobustChoice(metrics: readonly Metric[], tasks: readonly Task[]): readonly Metric[] {
  const copy = metrics.find(({ scorer, primary }) => scorer === 'inspect_ai/choice' && primary)
  if (!copy) return metrics
  const isMultiple = tasks.some(({ targets: [target = ''] }) => lettersOf(target).length > 1)
  const options = isMultiple ? { multiple_correct: true } : {}
  const [robust] = choiceMetrics(options)
  const others = metrics.map(metric => ({
    ...metric,
    ...(metric === copy && { options: { ...options, ...copy.options } }),
    primary: false,
  }))
  return robust ? [{ ...robust, id: 'assay_choice' }, ...others] : metrics
}

function lettersOf(target: string): readonly string[] {
  return [...target].filter(char => char !== ',' && char !== ' ')
}

function reasonAgainst(scorer: string, options: Readonly<Record<string, unknown>>): string | null {
  if (scorer.startsWith('model_graded')) return 'A model graded it; no model is called for imported outputs.'
  if (!known.has(scorer)) return `The scorer "${scorer.slice(0, 60)}" is not one of Inspect’s own, or is not part of this version.`
  return refusedOptions({ scorer: `inspect_ai/${scorer}`, options: { ...options } })
}

function bareName(name: string): string {
  return name.split('/').at(-1) ?? name
}
