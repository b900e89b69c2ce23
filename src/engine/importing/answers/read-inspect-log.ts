import { z } from 'zod'
import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { binaryMetric } from '../../tasks/metric.ts'
import { choiceMetrics } from '../../content/benchmarks/choice-profile.ts'
import { ownBenchmark } from '../../content/benchmarks/own-benchmark.ts'
import type { Task } from '../../tasks/task.ts'
import { choiceReleaseOf, choiceReleases } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import { valueToFloat } from '../../grading/scorers/inspect-ai/value-to-float.ts'
import { readExportedMetrics } from '../../tasks/exported-metrics.ts'
import { MediaIntake } from '../media/media-intake.ts'
import { ArchiveError } from '../../archives/archive.ts'
import { openZip } from '../../archives/read-zip.ts'
import { exportedMetric, withOnePrimary } from './exported-metric.ts'
import {
  eachOf,
  fittingId,
  type ForeignLog,
  leftOut,
  type LogAnswer,
  LogError,
  readEach,
  type MetricPair,
  parseLogJson,
  refusedOptions,
} from './foreign-log.ts'
import type { MatchedAnswer } from './given-answer.ts'
import { countedLogs } from './inspect-counts.ts'
import { sampleReader } from './inspect-chunks.ts'
import { groupKeys, groupsOf } from './inspect-groups.ts'
import { leftWarnings } from './inspect-left-out.ts'
import { standingWarnings } from './inspect-standing.ts'
import { type LogPrompts, readPrompts, resolve } from './inspect-prompts.ts'
import { Header, Sample } from './inspect-schemas.ts'
import { longestLabel } from '../../../contract/runs/results.schemas.ts'

/** The scorers of Inspect that are here under the same rules. */
const known = new Set(['match', 'includes', 'pattern', 'answer', 'choice', 'exact', 'f1', 'math'])
const nonBinary = new Set(['f1'])
const verdicts: ReadonlySet<number> = new Set([0, 0.5, 1])

interface InspectFile {
  readonly header: z.infer<typeof Header>
  readonly samples: readonly Sample[]
  /** What is wrong with the samples that cannot be read. */
  readonly faults: readonly LogError[]
}

/** A log with its tasks by their ids. */
type NamedLog = InspectFile &
  Pick<LogPrompts, 'systemPrompt' | 'promptTemplate' | 'doubts'> & {
    readonly name: string
    /** Whether the model answered any of it, so that what it was asked is known. */
    readonly isAsked: boolean
    readonly groups: readonly string[]
    readonly tasks: ReadonlyMap<string, { readonly task: Task; readonly text: string | null }>
  }

/** Logs of Inspect, each of them of a task and a model; those of one task whose samples agree are one. @throws LogError */
export function readInspectLogs(
  files: readonly { readonly name: string; readonly bytes: Buffer }[],
  intake = new MediaIntake(),
): ForeignLog[] {
  const sets: NamedLog[][] = []
  const empty: string[] = []
  const unread: string[] = []
  const read = readEach(files, file => ({ file, log: readFile(file) }))
  const faults: LogError[] = []
  for (const { file, log: whole } of read.found) {
    const prompts = readPrompts(whole, file.name, intake)
    const log = { ...whole, ...prompts, faults: [...whole.faults, ...prompts.faults] }
    faults.push(...log.faults)
    unread.push(...leftWarnings(file.name, log.samples), ...standingWarnings(file.name, log.header, log.samples), ...prompts.warnings)
    if (log.samples.length === 0) {
      if (log.faults.length === 0) empty.push(file.name)
      continue
    }
    const idOf = taskIdsOf(log.samples)
    const groups = groupKeys(
      log.samples.map(sample => ({ id: idOf(sample), metadata: sample.metadata })),
      log.header.eval.scorers?.map(({ metrics }) => metrics),
    )
    // What an epoch that was asked says of a task comes after what one that was not does, and stays.
    const tasks = new Map(
      [...log.samples]
        .sort((a, b) => Number(log.unasked.has(b)) - Number(log.unasked.has(a)))
        .map(sample => {
          const task = taskOf(sample, idOf(sample), log.inputs.get(sample) ?? { fields: {} })
          // Logs of other groups ask the same; of a sample that was never asked, what it would have been is not known.
          const text = log.unasked.has(sample) ? null : JSON.stringify(task)
          const sorted = { ...task, metadata: { ...groupsOf({ ...sample, id: task.id }, groups), ...task.metadata } }
          return [task.id, { task: sorted, text }] as const
        }),
    )
    const isAsked = log.samples.some(sample => !log.unasked.has(sample))
    const named = { ...log, name: file.name, isAsked, groups, tasks }
    const set = sets.find(one => one.every(other => agree(other, named)))
    if (set) set.push(named)
    else sets.push([named])
  }
  const [first] = empty
  if (sets.length === 0 && faults[0]) throw faults[0]
  if (sets.length === 0 && first !== undefined)
    throw new LogError(
      `"${first}" has no samples: the evaluation was stopped, or logged none. Run it to its end with "--log-samples" and send that log.`,
    )
  const doubts = sets.flatMap(logs => (logs.some(({ promptTemplate }) => promptTemplate !== null) ? [] : logs.flatMap(log => log.doubts)))
  const nothing = empty.map(name => `"${name}" has no samples and was left out.`)
  const warnings = [...read.warnings, ...nothing, ...leftOut(faults), ...doubts, ...unread]
  return sets.map((logs, i) => logOf(logs, i === 0 ? warnings : []))
}

function agree(a: NamedLog, b: NamedLog): boolean {
  if (a.header.eval.task !== b.header.eval.task) return false
  if (a.isAsked && b.isAsked && (a.systemPrompt !== b.systemPrompt || a.promptTemplate !== b.promptTemplate)) return false
  return [...b.tasks].every(([id, { text }]) => text === null || (a.tasks.get(id)?.text ?? text) === text)
}

function logOf(logs: readonly NamedLog[], warnings: readonly string[]): ForeignLog {
  const first = logs.find(({ isAsked }) => isAsked) ?? logs[0]
  if (!first) throw new LogError('There is no log.')
  const tasks = new Map<string, { readonly index: number; readonly task: Task }>()
  const answers: LogAnswer[] = []
  for (const [run, { header, samples, tasks: own }] of logs.entries()) {
    const idOf = taskIdsOf(samples)
    for (const sample of samples) {
      const id = idOf(sample)
      const known = logs.map(log => log.tasks.get(id)).find(other => other !== undefined && other.text !== null)
      const task = (known ?? own.get(id))?.task
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
        profiles: own.profiles.map(profile => ({
          ...profile,
          ...(first.promptTemplate !== null && {
            title: 'Zero-shot',
            summary: 'What the log asked, unchanged.',
            promptTemplate: first.promptTemplate,
          }),
          systemPrompt: first.systemPrompt,
          ...(metrics.length > 0 && { metrics }),
          breakdowns: [...profile.breakdowns, ...first.groups],
        })),
      }
    },
  }
}

function releaseOf({ eval: { packages } }: z.infer<typeof Header>): string | null {
  return packages ? `inspect_ai ${packages.inspect_ai.slice(0, 60)}` : null
}

function readFile({ name, bytes }: { readonly name: string; readonly bytes: Buffer }): InspectFile {
  // What is neither an archive nor an object of JSON is an archive that is damaged where it begins.
  if (bytes.toString('latin1', 0, 2) !== 'PK' && !(/\.eval$/i.test(name) && !isObject(bytes))) {
    const log = parse(Header.extend({ samples: z.array(z.unknown()).nullish() }), parseLogJson(bytes.toString('utf8'), name), name)
    const places = (log.samples ?? []).map((sample, i) => ({ sample, place: `${name}, sample ${i + 1}` }))
    const { found, faults } = eachOf(places, ({ sample, place }) => parse(Sample, sample, place))
    return { header: log, samples: found, faults }
  }
  const archive = ofArchive(name, () => openZip(bytes, 'last counts'))
  const read = (entry: string): unknown => parseLogJson(ofArchive(name, () => archive.read(entry)).toString('utf8'), `${name}/${entry}`)
  const headerName = ['header.json', '_journal/start.json'].find(entry => archive.names.includes(entry))
  if (headerName === undefined) throw new LogError(`Send "${name}" as Inspect wrote it: this archive has no header.json.`)
  const entries = archive.names.filter(entry => /^samples\/(?:.+_epoch_\d+(?:\/sample)?|[^/]+)\.json$/.test(entry))
  const readSample = sampleReader(archive.names, read)
  const { found, faults } = eachOf(entries, entry => parse(Sample, readSample(entry), `${name}/${entry}`))
  if (entries.length === 0 && archive.names.some(entry => /^(?:_journal\/)?summaries(?:\/\d+)?\.json$/.test(entry)))
    throw new LogError(
      `"${name}" holds summaries of its samples, without what they answered. Run it with "--log-samples" and send that log.`,
    )
  return { header: parse(Header, read(headerName), name), samples: found.sort(bySampleId), faults }
}

function isObject(bytes: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?\s*\{/.test(bytes.toString('latin1', 0, 64))
}

/** What is wrong with an archive says of which log it is. @throws LogError */
function ofArchive<Found>(name: string, find: () => Found): Found {
  try {
    return find()
  } catch (error) {
    throw error instanceof ArchiveError ? new LogError(`"${name}": ${error.message}`) : error
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

function taskOf(sample: Sample, id: string, input: Pick<Task, 'fields' | 'conversations'>): Task {
  return {
    id,
    split: 'test',
    ...input,
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
    error:
      sample.error?.message ??
      (text === null && sample.limit && Object.keys(scores).length === 0 ? `Stopped by the ${sample.limit.type} limit` : null),
    inputTokens: usage?.input_tokens ?? null,
    outputTokens: usage?.output_tokens ?? null,
    latencyMs: time == null ? null : time * 1000,
    scores,
    reasons: reasonsOf(sample),
    labels: labelsOf(sample),
  }
}

function scoreValues({ scores, score }: Sample): NonNullable<Sample['scores']> {
  return scores ?? (score ? { score } : {})
}

/** The scores of a sample, and those that a score consists of. */
function partsOf(sample: Sample) {
  return Object.entries(scoreValues(sample)).flatMap(([name, { value, explanation }]) =>
    leavesOf(name, value, deepestValue).map(leaf => ({ ...leaf, explanation })),
  )
}

/** Levels of a score that consists of others. */
const deepestValue = 3

/** Parts of an object by their names, parts of a list by their places from 1. */
function leavesOf(name: string, value: unknown, levels: number): { readonly name: string; readonly value: unknown }[] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [{ name, value }]
  if (levels === 0) return []
  const parts: [string, unknown][] = Array.isArray(value) ? value.map((part, i) => [String(i + 1), part]) : Object.entries(value)
  return parts.flatMap(([key, part]) => leavesOf(`${name}/${key}`, part, levels - 1))
}

function scoresOf(sample: Sample): Record<string, number> {
  return Object.fromEntries(partsOf(sample).map(({ name, value }) => [name, valueToFloat(value)]))
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
  const scores = samples.map(scoresOf)
  // Scorers of Inspect give whole scores: a part named `f1` comes from another.
  const whole = new Set(samples.flatMap(sample => Object.keys(scoreValues(sample))))
  const names = new Set(scores.flatMap(each => Object.keys(each)))
  // Under a name of its own, values that `match` never gives come from another scorer.
  const isAlone = names.size === 1 && stated.size === 1 && scores.every(each => Object.values(each).every(value => verdicts.has(value)))
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
    const scorer = !whole.has(log) ? log : known.has(name) ? name : isAlone ? ([...stated.keys()][0] ?? name) : name
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
