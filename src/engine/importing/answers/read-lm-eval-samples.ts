import { nameFew } from '../../../lib/format/name-few.ts'
import { unpackedName } from '../../../lib/file-name.ts'
import { z } from 'zod'
import type { Generation, Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { ProfileDefinition } from '../../tasks/definition.ts'
import { choiceLabel } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import { binaryMetric } from '../../tasks/metric.ts'
import { ownBenchmark } from '../../content/benchmarks/own-benchmark.ts'
import type { Task } from '../../tasks/task.ts'
import {
  fittingId,
  type ForeignLog,
  leftOut,
  type LogAnswer,
  LogError,
  type MetricPair,
  parseLogJson,
  readEach,
  severalAnswers,
} from './foreign-log.ts'
import { subgroupKey, subtaskKey } from '../files/lm-eval/task-docs.ts'
import { type MatchedAnswer, noFacts } from './given-answer.ts'
import { describeLeft, taskInput } from '../messages/read-conversation.ts'
import { Config, logName, metricsOf } from './lm-eval-metrics.ts'
import { countedOf, groupSamples, type SampleSet, subgroupOf, type TaskSamples } from './lm-eval-sets.ts'
import { askedSettings } from './lm-eval-settings.ts'
import { readSampleRows, type SampleRows } from './lm-eval-filters.ts'
import type { SampleRow } from './lm-eval-row.ts'
import type { LogFile } from './log-files.ts'

const Results = z.looseObject({
  configs: z.record(z.string(), Config),
  model_name: z.string().nullish(),
  model_source: z.string().nullish(),
  lm_eval_version: z.string().nullish(),
  /** As `simple_evaluate` returns them, and Assay exports them. */
  samples: z.record(z.string(), z.array(z.unknown())).nullish(),
  group_subtasks: z.record(z.string(), z.array(z.string())).nullish(),
  'n-samples': z
    .record(z.string(), z.looseObject({ effective: z.int() }))
    .nullish()
    .catch(null),
})
type Results = z.infer<typeof Results>

/** Samples in one file of JSON: a list or lines of them, or, of lmms-eval, a list beside the settings of the task. */
const beginsWithSamples = /^(?:\[\s*)?\{\s*"doc_id"\s*:|^\{\s*"args"\s*:/
const Listed = z.union([z.array(z.unknown()), z.looseObject({ logs: z.array(z.unknown()) }).transform(({ logs }) => logs)])
const textOf = ({ bytes }: LogFile, end = bytes.length): string => bytes.toString('utf8', 0, end)

/**
 * The samples of lm-evaluation-harness, one row for each document and filter, and the results of the runs, which say how each task filters
 * and compares. Tasks of a group that are graded alike are one set. @throws LogError
 */
export function readLmEvalSamples(files: readonly LogFile[], model: string | undefined): ForeignLog[] {
  const samples = files.filter(
    file => !/\.json$/i.test(unpackedName(file.name)) || beginsWithSamples.test(textOf(file, 65_536).trimStart()),
  )
  const isAlone = files.length - samples.length === 1
  const given = files.flatMap((file): ResultsFile[] => {
    if (samples.includes(file)) return []
    const results = readResults(file)
    if (results) return [{ file, results }]
    // An archive may hold other JSON files.
    if (file.folder === '' && isAlone)
      throw new LogError(`"${file.name}" is no results file of lm-evaluation-harness: it has no "configs".`)
    return []
  })
  const read = readEach(samples, file => samplesOf(file, given, model))
  const tasks = samples.length > 0 ? read.found : given.flatMap(one => samplesWithin(one, model))
  if (tasks.length === 0) throw new LogError('There is no file of samples (samples_*.jsonl), and the results have none in them.')
  const warnings = [
    ...read.warnings,
    ...leftOut(tasks.flatMap(({ faults }) => faults)),
    ...tasks.flatMap(({ title, madeUp }) =>
      madeUp.length === 0 ? [] : [`Rows of "${title}" do not name their filters, which are called ${nameFew(madeUp, 5)} in their order.`],
    ),
  ]
  return groupSamples(tasks)
    .map(logOf)
    .map((log, i) => (i === 0 ? { ...log, warnings: [...warnings, ...log.warnings] } : log))
}

/** A results file, and which samples it belongs to. */
interface ResultsFile {
  readonly file: LogFile
  readonly results: Results
}

/** Samples, and the rows that could not be read. */
type ReadSamples = TaskSamples & Pick<SampleRows, 'faults' | 'madeUp'>

/** `samples_gsm8k_2024-05-31T10-00-00.123.jsonl`: the task, and when the run began, as in the name of its results. */
function samplesOf(file: LogFile, given: readonly ResultsFile[], model: string | undefined): ReadSamples {
  const [, task = 'lm-eval samples'] = /^samples_(.{1,1000}?)(?:_\d{4}-\d\d-\d\dT.*)?\.jsonl?$/i.exec(unpackedName(file.name)) ?? []
  const having = given.filter(({ results }) => Object.hasOwn(results.configs, task))
  const beside = having.filter(one => one.file.folder === file.folder)
  const date = dateOf(file.name)
  const [only, second] = [beside.filter(one => dateOf(one.file.name) === date), beside, having].find(found => found.length > 0) ?? []
  if (only && second)
    throw new LogError(
      `Which results belong to "${file.name}" is not clear: "${only.file.name}" and "${second.file.name}" could. Keep the names that the harness gave the files.`,
    )
  const folder = file.folder.split('/').at(-1) ?? ''
  const results = only?.results ?? null
  const { rows, ...more } = readRows(file, filtersOf(results, task))
  return { ...more, ...taskSamples(task, rows, results, model ?? (folder === '' ? undefined : folder)) }
}

function dateOf(name: string): string | null {
  return /\d{4}-\d\d-\d\dT[\d.-]+?(?=\.jsonl?$)/i.exec(unpackedName(name))?.[0] ?? null
}

/** The samples in a results file. */
function samplesWithin({ file, results }: ResultsFile, model: string | undefined): ReadSamples[] {
  return Object.entries(results.samples ?? {}).map(([task, rows]) => {
    if (rows.length === 0) throw new LogError(`The task "${task}" of "${file.name}" has no samples.`)
    const given = rows.map((row, i) => ({ place: `${task}, sample ${i + 1},`, parse: () => row }))
    const { rows: read, ...more } = readSampleRows(given, filtersOf(results, task))
    if (read.length === 0 && more.faults[0]) throw more.faults[0]
    return { ...taskSamples(task, read, results, model), ...more }
  })
}

function taskSamples(task: string, rows: readonly SampleRow[], results: Results | null, model: string | undefined): TaskSamples {
  const config = results?.configs[task] ?? null
  const documents = [...Map.groupBy(rows, row => row.docId)].sort(([a], [b]) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : 0,
  )
  const isChoice = config?.output_type === 'multiple_choice' || isLikelihood(rows[0])
  const golds = isChoice ? goldsOf(rows) : 'none'
  const graded = golds === 'none' && isChoice ? withoutGold(rows) : metricsOf(rows, config, isChoice)
  // What is computed here filters one answer, as the harness then takes the first; any other score may be of all that a document has.
  const shared = new Set(graded.pairs.flatMap(({ log, metric }) => (metric === null ? [log] : [])))
  return {
    task,
    title: config?.task_alias ?? task,
    model: results?.model_name ?? results?.model_source ?? model ?? 'unknown model',
    results,
    isChoice,
    settings: isChoice ? [] : documents.flatMap(([, [row]]) => row?.requests.map(({ continuation }) => continuation) ?? []),
    mostChoices: Math.max(1, ...documents.map(([, [row]]) => row?.resps.length ?? 1)),
    left: documents.reduce((sum, [, [row]]) => sum + (row?.requests[0]?.left ?? 0), 0),
    tasks: documents.map(([, of]) => taskOf(of, isChoice ? golds : null)),
    answers: documents.flatMap(([, of], taskIndex) => answersOf(of, isChoice, shared).map(answer => ({ ...answer, taskIndex }))),
    ...graded,
  }
}

function logOf({ title, group, members: [first, ...others] }: SampleSet): ForeignLog {
  const members = [first, ...others]
  const { pairs, model } = first
  const hasGroups = members.some(member => subgroupOf(member) !== null)
  const breakdowns = group === null ? [] : [...(hasGroups ? [subgroupKey] : []), subtaskKey]
  const tasks: Task[] = []
  const answers: LogAnswer[] = []
  for (const member of members) {
    const before = tasks.length
    tasks.push(...member.tasks.map(task => (group === null ? task : inGroup(task, member))))
    answers.push(...member.answers.map(answer => ({ ...answer, taskIndex: before + answer.taskIndex, model, profileKey: 'recorded' })))
  }
  const without = members.filter(({ results }) => results === null)
  const hasOther = pairs.some(({ metric }) => metric === null)
  const { generation, warnings } = askedSettings(
    title,
    members.flatMap(({ settings }) => settings),
  )
  const left = members.reduce((sum, member) => sum + member.left, 0)
  const isRepeated = answers.some(({ epoch }) => epoch > 1)
  return {
    title,
    tasks,
    answers,
    isGraded: first.metrics.length > 0,
    counted: countedOf(members),
    pairs: pairs.map(pair => ({
      ...pair,
      ...(isRepeated && pair.metric === null && { isShared: true }),
      release: releaseOf(first),
    })),
    warnings: [
      ...warnings,
      ...(left === 0 ? [] : [`Messages of "${title}": ${describeLeft(left)}.`]),
      ...severalAnswers(title, tasks.length, answers, hasOther),
      ...(without.length === 0
        ? []
        : [`The results file (results_*.json) of "${title}" was not sent, so that filters and their options are not known.`]),
    ],
    define: (slug, name) => ({
      ...ownBenchmark(name, slug, false),
      summary: `A ${group === null ? 'task' : 'group of tasks'} of lm-evaluation-harness, imported from its samples.`,
      description: `The documents of ${group === null ? 'a task' : `${members.length} tasks`} of lm-evaluation-harness with the prompts as they were sent, imported under the name "${name}".`,
      runner: 'lm-eval',
      profiles: [profileOf(first, Math.max(...members.map(({ mostChoices }) => mostChoices)), breakdowns, generation)],
    }),
  }
}

function releaseOf({ results }: TaskSamples): string | null {
  return results?.lm_eval_version ? `lm-evaluation-harness ${results.lm_eval_version.slice(0, 60)}` : null
}

function inGroup(task: Task, samples: TaskSamples): Task {
  const below = subgroupOf(samples)
  return {
    ...task,
    id: fittingId(`${samples.task}/${task.id}`),
    metadata: { ...task.metadata, [subtaskKey]: samples.title, ...(below !== null && { [subgroupKey]: below }) },
  }
}

function readResults({ name, bytes }: LogFile): Results | null {
  const parsed = Results.safeParse(parseLogJson(bytes.toString('utf8'), name))
  return parsed.success ? parsed.data : null
}

function filtersOf(results: Results | null, task: string): readonly string[] {
  return results?.configs[task]?.filter_list?.map(({ name }) => name) ?? []
}

/** A line that cannot be read, such as the last of a run that was stopped, refuses no other. */
function readRows(file: LogFile, filters: readonly string[]): SampleRows {
  const { name } = file
  const text = textOf(file)
  const listed = /^\s*(?:\[|\{\s*"args")/.test(text) ? Listed.safeParse(parseLogJson(text, name)).data : undefined
  const given = listed
    ? listed.map((row, i) => ({ place: `"${name}", row ${i + 1},`, parse: () => row }))
    : text.split('\n').flatMap((line, i) => {
        const place = `line ${i + 1}`
        return line.trim() === '' ? [] : [{ place: `"${name}", ${place},`, parse: () => parseLogJson(line, `${name}, ${place}`) }]
      })
  const read = readSampleRows(given, filters)
  if (read.rows.length === 0) throw read.faults[0] ?? new LogError(`"${name}" has no samples.`)
  return read
}

/** Likelihoods are pairs of a number, as text, and whether the continuation is the greedy one. */
function isLikelihood(row: SampleRow | undefined): boolean {
  return row !== undefined && Array.isArray(row.resps[0]?.[0])
}

/** What is impossible has minus infinity, which JSON lacks. */
function likelihoodOf([first]: readonly unknown[]): number {
  const [value] = Array.isArray(first) ? first : [undefined]
  return value === null || value === '-inf' || value === '-Infinity' ? -Number.MAX_VALUE : Number(value ?? Number.NaN)
}

function profileOf(
  { metrics, isChoice }: TaskSamples,
  most: number,
  breakdowns: readonly string[],
  generation: Generation,
): ProfileDefinition {
  return {
    key: 'recorded',
    title: 'As it was sent',
    summary: 'The prompt of each document as the harness sent it, worked examples included.',
    split: 'test',
    systemPrompt: null,
    promptTemplate: '{text}',
    shotTemplate: null,
    shots: 0,
    generation: isChoice ? { temperature: 0, max_output_tokens: 1, stop: [] } : generation,
    metrics: metrics.length > 0 ? metrics : [usualMetric(isChoice)],
    requires: isChoice ? ['loglikelihood'] : ['chat'],
    chanceLevel: null,
    breakdowns,
    ...(isChoice && { loglikelihood: { most } }),
  }
}

/** Where nothing of the log is computed here. */
function usualMetric(isChoice: boolean): Metric {
  return isChoice
    ? binaryMetric('acc', 'acc', 'lm_eval/multiple_choice', { primary: true, options: { metric: 'acc' } })
    : binaryMetric('exact_match', 'Exact match', 'lm_eval/exact_match', { primary: true })
}

function requestsOf({ requests, resps }: SampleRow): string[] {
  // The harness puts the delimiter, mostly a blank, before each choice.
  return requests.slice(0, resps.length).map(({ continuation }) => String(continuation).replace(/^ /, ''))
}

/** How targets name the right choice: by position, by text, or not at all where the choices are contexts with one continuation. */
type Golds = 'position' | 'text' | 'none'

/** A number is a position to the harness, unless the log's own accuracy says that it is the text. */
function goldsOf(rows: readonly SampleRow[]): Golds {
  const read = rows.map(row => ({ row, choices: requestsOf(row) }))
  if (read.every(({ choices }) => choices.length > 1 && new Set(choices).size === 1)) return 'none'
  const agreeing = (golds: Golds): number =>
    read.filter(({ row, choices }) => {
      const likelihoods = row.resps.map(likelihoodOf)
      const named = likelihoods.indexOf(Math.max(...likelihoods))
      return (row.values.get('acc') ?? -1) === Number(goldOf(row, choices, golds) === named)
    }).length
  const byPosition = read.every(({ row, choices }) => goldOf(row, choices, 'position') !== null)
  return byPosition && agreeing('position') >= agreeing('text') ? 'position' : 'text'
}

function goldOf({ targets: [only = ''] }: SampleRow, choices: readonly string[], golds: Golds): number | null {
  if (golds === 'text') return choices.includes(only) ? choices.indexOf(only) : null
  return /^\d+$/.test(only) && Number(only) < choices.length ? Number(only) : null
}

function taskOf(rows: readonly SampleRow[], golds: Golds | null): Task {
  const [row] = rows
  if (!row) throw new LogError('A document has no rows.')
  const choices = golds === null ? null : requestsOf(row)
  return {
    id: fittingId(String(row.docId)),
    split: 'test',
    ...(row.requests[0]?.messages ? taskInput(row.requests[0].messages, 'text') : { fields: { text: row.requests[0]?.context ?? '' } }),
    targets: targetsOf(row, choices, golds),
    choices,
    metadata: {},
    capabilities: [],
    dependsOn: [],
  }
}

/** Right choices by their texts, which the scorer looks for first; by their labels where several have the same text. */
function targetsOf({ targets }: SampleRow, choices: readonly string[] | null, golds: Golds | null): readonly string[] {
  if (golds === 'none') return []
  if (golds !== 'position' || choices === null) return targets
  return targets.map(one => {
    const text = choices[Number(one)] ?? one
    const label = choiceLabel(Number(one))
    return choices.indexOf(text) === choices.lastIndexOf(text) || choices.includes(label) ? text : label
  })
}

/** Samples of tasks whose contexts are the choices, such as Winogrande. */
function withoutGold(rows: readonly SampleRow[]): { metrics: Metric[]; pairs: MetricPair[] } {
  const logs = new Set(rows.flatMap(row => [...row.values.keys()].map(metric => logName(metric, row.filter))))
  const reason = 'The choices are contexts with one continuation, and the samples do not say which of them is right.'
  return { metrics: [], pairs: [...logs].map(log => ({ log, metric: null, reason })) }
}

type Given = Omit<MatchedAnswer, 'taskIndex' | 'model'>

function answersOf(rows: readonly SampleRow[], isChoice: boolean, shared: ReadonlySet<string>): Given[] {
  const [row] = rows
  const scores = Object.fromEntries(
    rows.flatMap(({ filter, values }) =>
      [...values].flatMap(([metric, value]) => (value === null ? [] : [[logName(metric, filter), value]])),
    ),
  )
  if (!row) return []
  if (isChoice) {
    const loglikelihoods = row.resps.map(likelihoodOf)
    return [{ ...noFacts, line: null, epoch: 1, output: JSON.stringify({ loglikelihoods }), scores }]
  }
  const outputs = row.resps[0] ?? []
  return outputs.map((output, i) => {
    const own = i === 0 ? scores : Object.fromEntries(Object.entries(scores).filter(([name]) => shared.has(name)))
    return {
      ...noFacts,
      line: null,
      epoch: i + 1,
      output: typeof output === 'string' || output === null ? output : JSON.stringify(output),
      scores: own,
    }
  })
}

/** As the results file calls it. */
