import { createHash } from 'node:crypto'
import type { AnswerFormat, RecordedFigure } from '../../../contract/answers/answers.schemas.ts'
import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { canonicalJson, contentDigest } from '../../content/benchmarks/content-digest.ts'
import type { BenchmarkDefinition, ProfileDefinition } from '../../tasks/definition.ts'
import { withMisplaced } from '../known-files.ts'
import { slugOf } from '../../content/benchmarks/own-benchmark.ts'
import { inputOf } from '../../content/benchmarks/task-preview.ts'
import type { Task } from '../../tasks/task.ts'
import { ArchiveError } from '../../archives/archive.ts'
import { FileError } from '../files/decode-bytes.ts'
import { nameFew } from '../../../lib/format/name-few.ts'
import { RowError } from '../files/row.ts'
import { type AnswerColumns, scoreName, type ShownScore, usualQuestion, type WantedAnswerColumns } from './answer-columns.ts'
import { countWarning, inOwnPlaces, type ForeignLog, type LogAnswer, LogError, type MetricPair } from './foreign-log.ts'
import type { MatchedAnswer } from './given-answer.ts'
import { type FiguresAlone, readFiguresAlone } from './figures-alone.ts'
import { readLogFiles } from './log-files.ts'
import { matchAnswers, type Matching, numericIdsWarning } from './match-answers.ts'
import { readAnswerTable } from './read-answer-table.ts'
import { MediaIntake } from '../media/media-intake.ts'
import { readInspectLogs } from './read-inspect-log.ts'
import { readLivecodebenchResults } from './read-livecodebench-results.ts'
import { recordedMetric, withRecordedScores } from './recorded-metrics.ts'
import { readLmEvalSamples } from './read-lm-eval-samples.ts'
import { type RemoteFacts, withRemote } from './remote-facts.ts'
import { readToolResults } from './tools/read-tool-results.ts'
import { readPromptfooResults } from './read-promptfoo-results.ts'

/** What is to be imported, as plain data that another thread can be given. */
export interface AnswerOrder {
  readonly files: readonly { readonly name: string; readonly path: string }[]
  readonly format: AnswerFormat
  readonly mapping: WantedAnswerColumns
  readonly model: string | undefined
  /** Name of the benchmark that a log becomes. */
  readonly title: string | undefined
  /** Key of the profile that a table answers. */
  readonly profileKey: string | null
  /** The recorded scores that this profile shows. */
  readonly shownScores: readonly ShownScore[]
}

/** Everything that an import of outputs brings. */
export interface OpenedAnswers {
  readonly logs: readonly OpenedLog[]
  /** Of logs: what they become in the catalog; several logs of the same tasks are one. */
  readonly benchmarks: readonly { readonly definition: BenchmarkDefinition; readonly tasks: readonly Task[]; readonly digest: string }[]
  readonly facts: AnswerFacts
}

/** The outputs of one table, or of one log. */
export interface OpenedLog {
  readonly answers: readonly LogAnswer[]
  /** Place among the benchmarks; null for a table. */
  readonly benchmark: number | null
  readonly pairs: readonly MetricPair[]
  /** Of the run alone, beside those of the profile: the scores that the files state. */
  readonly metrics: readonly Metric[]
}

const shownRows = 20
const listed = 100
const shownCharacters = 2000
const noRows = { read: 0, matched: 0, unmatched: 0, invalid: 0 }

/** What the record says of it. */
export interface AnswerFacts {
  readonly rows: { readonly read: number; readonly matched: number; readonly unmatched: number; readonly invalid: number }
  readonly tasks: { readonly total: number; readonly answered: number; readonly missing: number }
  readonly columns: readonly string[]
  readonly mapping: WantedAnswerColumns | null
  readonly preview: readonly {
    readonly line: number | null
    readonly task_id: string
    readonly epoch: number
    readonly model: string
    readonly input: string
    readonly output: string | null
  }[]
  readonly unmatched: readonly { readonly line: number; readonly key: string }[]
  readonly missingTasks: readonly string[]
  readonly problems: readonly { readonly file: string; readonly line: number | null; readonly message: string }[]
  readonly problemCount: number
  readonly warnings: readonly string[]
  readonly models: readonly { readonly model: string; readonly outputs: number }[]
  /** Of results without samples, which become no run. */
  readonly figures?: readonly RecordedFigure[]
  readonly remote?: RemoteFacts
}

/** @param tasks of the profile that a table answers, in order @param intake takes what the questions of logs show */
export async function openAnswers(order: AnswerOrder, tasks: readonly Task[], intake = new MediaIntake()): Promise<OpenedAnswers> {
  const opened = await openAsChosen(order, tasks, intake)
  return { ...opened, facts: await withMisplaced(withRemote(opened.facts, intake.remote, order.files), order.files, order.format) }
}

async function openAsChosen(order: AnswerOrder, tasks: readonly Task[], intake: MediaIntake): Promise<OpenedAnswers> {
  try {
    if (isLog(order.format)) {
      const read = await readLogFiles(order.files, order.format)
      const takesFigures = order.format === 'tool_results' || order.format === 'lm_eval_samples'
      const figures = takesFigures ? readFiguresAlone(read.files, order.model) : null
      return figures ? figuresAlone(figures, read.warnings) : fromLogs(await readLogs(read, order, intake), order)
    }
    return await fromTable(order, tasks)
  } catch (error) {
    if (error instanceof LogError || error instanceof ArchiveError || error instanceof FileError || error instanceof RowError)
      return refused(order, error.message)
    throw error
  }
}

const logFormats: ReadonlySet<AnswerFormat> = new Set([
  'inspect_log',
  'lm_eval_samples',
  'promptfoo_results',
  'livecodebench_results',
  'tool_results',
])

/** Whether files of a format bring their own tasks. */
export function isLog(format: AnswerFormat): boolean {
  return logFormats.has(format)
}

interface ReadLogs {
  readonly logs: readonly ForeignLog[]
  readonly warnings: readonly string[]
}

async function readLogs(
  { files: read, warnings }: Awaited<ReturnType<typeof readLogFiles>>,
  { format, model }: AnswerOrder,
  intake: MediaIntake,
): Promise<ReadLogs> {
  const [first] = read
  if (!first) throw new LogError('There is no file.')
  const logs = (): readonly ForeignLog[] | Promise<readonly ForeignLog[]> => {
    if (format === 'tool_results') return readToolResults(read)
    if (format === 'inspect_log') return readInspectLogs(read, intake)
    if (format === 'livecodebench_results') return [readLivecodebenchResults(read, model)]
    return format === 'promptfoo_results' ? read.map(file => readPromptfooResults(file, intake)) : readLmEvalSamples(read, model)
  }
  return { logs: await logs(), warnings: [...warnings, ...intake.warnings()] }
}

/** Every log with its benchmark; logs of the same tasks, graded alike, share one. */
function fromLogs({ logs, warnings }: ReadLogs, order: AnswerOrder): OpenedAnswers {
  const benchmarks: { definition: BenchmarkDefinition; tasks: readonly Task[]; digest: string }[] = []
  const opened: OpenedLog[] = []
  const titles = new Set(logs.map(({ title }) => title))
  const recordedWarnings: string[] = []
  for (const log of logs) {
    const { title, tasks, pairs } = log
    const { answers, warnings: moved } = inOwnPlaces(log)
    const { define, metrics, warnings: said } = withRecordedScores(log)
    recordedWarnings.push(...said, ...moved)
    const name = order.title === undefined ? title : titles.size === 1 ? order.title : `${order.title}, ${title}`
    const definition = define(slugOf(name), name.slice(0, 200))
    // Other metrics or prompts make another version of the same tasks.
    const digest = createHash('sha256')
      .update(canonicalJson({ digest: contentDigest(tasks, []), profiles: definition.profiles.map(withoutScales) }))
      .digest('hex')
    const known = benchmarks.findIndex(one => one.digest === digest && one.definition.slug === definition.slug)
    opened.push({ answers, pairs, metrics, benchmark: known >= 0 ? known : benchmarks.push({ definition, tasks, digest }) - 1 })
  }
  return {
    logs: opened,
    benchmarks,
    facts: {
      // Several logs of a benchmark answer the same tasks.
      ...joinedFacts(
        benchmarks.map(({ tasks }, i) => ({ tasks, answers: opened.flatMap(log => (log.benchmark === i ? log.answers : [])) })),
      ),
      warnings: [
        ...new Set([...warnings, ...logs.flatMap(log => [...log.warnings, ...countWarning(log.title, log.counted)]), ...recordedWarnings]),
      ],
    },
  }
}

/** The scales of recorded scores follow from the values of one log; the logs of other models have others. */
function withoutScales(profile: ProfileDefinition): unknown {
  return {
    ...profile,
    metrics: profile.metrics.map(metric =>
      metric.scorer === 'assay/recorded_score' ? { id: metric.id, name: metric.options['name'] } : metric,
    ),
  }
}

async function fromTable(order: AnswerOrder, tasks: readonly Task[]): Promise<OpenedAnswers> {
  const { files, model } = order
  const byNames = await readAndMatch(order, tasks)
  const byQuestion = byNames.matching.matched.length === 0 ? await matchedByQuestion(order, tasks, byNames.read.columns) : null
  const { read, matching } = byQuestion ?? byNames
  const name = files[0]?.name ?? ''
  const problems = [...read.problems, ...matching.problems.map(found => ({ file: name, ...found }))]
  const nothing = problems.length === 0 && matching.matched.length === 0
  if (nothing) {
    const cure = numericIdsWarning(tasks, matching).map(text => ` ${text}`)
    const message = `None of the ${read.rows} rows belongs to a task of the benchmark. Its task ids are like "${tasks[0]?.id ?? ''}".${cure.join('')}`
    problems.push({ file: name, line: null, message })
  }
  const facts = factsOf(tasks, matching.matched, {
    rows: {
      read: read.rows,
      matched: matching.matched.length,
      unmatched: matching.unmatched.length,
      invalid: problems.filter(({ line }) => line !== null).length,
    },
    warnings: [
      ...(model === undefined && matching.matched.some(answer => answer.model === 'unknown model') ? ['No model was named.'] : []),
      ...(byQuestion
        ? [`No "${byNames.read.mapping?.task_id ?? 'id'}" is the id of a task, so rows are matched by "${read.mapping?.question ?? ''}".`]
        : []),
      ...read.warnings,
      ...referenceWarning(read.mapping, matching.matched, tasks),
      ...matching.warnings,
      ...(nothing ? [] : numericIdsWarning(tasks, matching)),
      ...unusedColumns(read.columns, read.mapping, order.shownScores),
    ],
  })
  return {
    logs: [
      {
        answers: matching.matched.map(answer => ({ ...answer, profileKey: order.profileKey ?? '' })),
        benchmark: null,
        pairs: [],
        metrics: read.mapping ? tableMetrics(read.mapping, order.shownScores) : [],
      },
    ],
    benchmarks: [],
    facts: {
      ...facts,
      columns: read.columns,
      mapping: read.mapping,
      unmatched: matching.unmatched.slice(0, listed),
      missingTasks: matching.missing.slice(0, listed),
      problems: problems.slice(0, listed),
      problemCount: problems.length,
    },
  }
}

interface ReadTable {
  readonly read: Awaited<ReturnType<typeof readAnswerTable>>
  readonly matching: Matching
}

async function readAndMatch(order: AnswerOrder, tasks: readonly Task[]): Promise<ReadTable> {
  const { mapping, model = 'unknown model' } = order
  const read = await readAnswerTable(order, tasks)
  return {
    read,
    matching: matchAnswers(tasks, read.answers, {
      indexBase: mapping.index_base,
      isIndexChosen: mapping.index !== undefined,
      numericIds: mapping.numeric_ids,
      model,
    }),
  }
}

/** Ids of a file may be its own, where its questions are those of the tasks; null where they are not, or the user named a column. */
async function matchedByQuestion(order: AnswerOrder, tasks: readonly Task[], columns: readonly string[]): Promise<ReadTable | null> {
  const { mapping } = order
  const question = usualQuestion(columns)
  if (question === null || mapping.task_id !== undefined || mapping.index !== undefined || mapping.question !== undefined) return null
  const found = await readAndMatch({ ...order, mapping: { ...mapping, question } }, tasks)
  return found.matching.matched.length > 0 ? found : null
}

/** Outputs from which equality with the references is not chance. */
const fewestEqual = 5

/** Where a column that could be either was taken for the outputs and is the references. */
function referenceWarning(mapping: AnswerColumns | null, answers: readonly MatchedAnswer[], tasks: readonly Task[]): string[] {
  const column = mapping?.output ?? ''
  if (!/^(?:answer|solution|text)$/i.test(column) || answers.length < fewestEqual) return []
  if (!answers.every(({ output, taskIndex }) => output !== null && tasks[taskIndex]?.targets.includes(output) === true)) return []
  return [
    `Every "${column}" is exactly the reference answer of its task. If it is not what the model answered, choose another column as the output.`,
  ]
}

/** The part of the table that is not kept, and the part of the profile that has no column. */
function unusedColumns(columns: readonly string[], mapping: AnswerColumns | null, shown: readonly ShownScore[]): string[] {
  if (!mapping) return []
  const { scores = [], ...parts } = mapping
  const used = new Set<unknown>([...Object.values(parts), ...scores.map(({ column }) => column)])
  const unused = columns.filter(name => !used.has(name)).map(name => `"${name}"`)
  const absent = shown.filter(({ column }) => (column === scoreName ? mapping.score === undefined : !columns.includes(column)))
  return [
    ...(absent.length === 0
      ? []
      : [
          `The profile shows recorded scores (${absent.map(({ column }) => `"${column}"`).join(', ')}) for which no column was taken, so that answers stay unscored. Name the column as "score", or under "scores", in "mapping".`,
        ]),
    ...(unused.length === 0
      ? []
      : [
          `Columns that were not imported: ${nameFew(unused, shownRows)}. To keep a score, name its column as "score", or under "scores", in "mapping".`,
        ]),
  ]
}

function tableMetrics(
  { score, scores = [], lowest_score: lowest = 0, highest_score: highest = 1, binary_score: binary = false }: AnswerColumns,
  shown: readonly ShownScore[],
): Metric[] {
  const idOf = (name: string): string => {
    const own = shown.find(one => one.column === name)?.id
    const id = name === scoreName ? 'recorded_score' : `recorded_${name.replaceAll(/[^\w-]+/g, '_')}`.slice(0, 60)
    // A metric of the profile with this id shows another score.
    return own ?? (shown.some(one => one.id === id) ? `${id}_2` : id)
  }
  return [
    ...(score === undefined ? [] : [recordedMetric(idOf(scoreName), scoreName, { lowest, highest, binary }, `Recorded score (${score})`)]),
    ...scores.map(({ column, lowest: least = 0, highest: most = 1, binary: isBinary = false }) =>
      recordedMetric(idOf(column), column, { lowest: least, highest: most, binary: isBinary }, `Recorded score (${column})`),
    ),
  ]
}

function factsOf(
  tasks: readonly Task[],
  answers: readonly MatchedAnswer[],
  { rows, warnings }: Pick<AnswerFacts, 'rows' | 'warnings'>,
): AnswerFacts {
  const answered = new Set(answers.map(({ taskIndex }) => taskIndex)).size
  const models = Map.groupBy(answers, ({ model }) => model)
  return {
    rows,
    tasks: { total: tasks.length, answered, missing: tasks.length - answered },
    columns: [],
    mapping: null,
    preview: answers.slice(0, shownRows).map(({ line, taskIndex, epoch, model, output }) => {
      const task = tasks[taskIndex]
      return {
        line,
        task_id: task?.id ?? '',
        epoch,
        model,
        input: task ? shown(inputOf(task)) : '',
        output: output === null ? null : shown(output),
      }
    }),
    unmatched: [],
    missingTasks: [],
    problems: [],
    problemCount: 0,
    warnings,
    models: [...models].map(([model, of]) => ({ model, outputs: of.length })),
  }
}

/** Of several benchmarks together. */
function joinedFacts(parts: readonly { readonly tasks: readonly Task[]; readonly answers: readonly MatchedAnswer[] }[]): AnswerFacts {
  const each = parts.map(({ tasks, answers }) => {
    const rows = { read: answers.length, matched: answers.length, unmatched: 0, invalid: 0 }
    return factsOf(tasks, answers, { rows, warnings: [] })
  })
  const sum = (of: (facts: AnswerFacts) => number): number => each.reduce((total, facts) => total + of(facts), 0)
  const models = Map.groupBy(
    each.flatMap(facts => facts.models),
    ({ model }) => model,
  )
  const read = sum(({ rows }) => rows.read)
  const shownOfEach = Math.max(1, Math.floor(shownRows / Math.max(1, each.length)))
  return {
    ...factsOf([], [], { rows: { read, matched: read, unmatched: 0, invalid: 0 }, warnings: [] }),
    tasks: {
      total: sum(({ tasks }) => tasks.total),
      answered: sum(({ tasks }) => tasks.answered),
      missing: sum(({ tasks }) => tasks.missing),
    },
    preview: each.flatMap(({ preview }) => preview.slice(0, each.length === 1 ? shownRows : shownOfEach)).slice(0, shownRows),
    models: [...models].map(([model, of]) => ({ model, outputs: of.reduce((total, { outputs }) => total + outputs, 0) })),
  }
}

function figuresAlone({ figures, warnings: said }: FiguresAlone, warnings: readonly string[]): OpenedAnswers {
  return { logs: [], benchmarks: [], facts: { ...factsOf([], [], { rows: noRows, warnings: [...said, ...warnings] }), figures } }
}

function refused({ files }: AnswerOrder, message: string): OpenedAnswers {
  const problems = [{ file: files[0]?.name ?? '', line: null, message }]
  return {
    logs: [],
    benchmarks: [],
    facts: { ...factsOf([], [], { rows: noRows, warnings: [] }), problems, problemCount: 1 },
  }
}

function shown(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters).toWellFormed()}…` : text
}
