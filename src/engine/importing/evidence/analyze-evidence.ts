import type { EvidenceTask, EvidenceAnalysis as StoredAnalysis } from '../../../contract/releases/evidence.schemas.ts'
import { formatCount } from '../../../lib/format/numbers.ts'
import { type MetricSummary, summarizeMetric } from '../../statistics/summarize.ts'
import { type Match, type Place, type SuiteTask, taskMatcher } from './match-tasks.ts'
import { EvidenceError, type EvidenceFigure, type EvidenceFile, type EvidenceRow, mostTasks } from './evidence-file.ts'

export interface AnalysisOptions {
  /** Value from which an answer passes; values are taken as they are when absent. */
  readonly passAt?: number | undefined
  /** The only label to take. */
  readonly label?: string | undefined
  /** Null: tasks are taken as the file names them. */
  readonly suite: readonly SuiteTask[] | null
  /** Whether the request names the field of the tasks' ids, which then needs no text beside it. */
  readonly namesTasks: boolean
}

export interface AnalyzedMetric {
  readonly name: string
  readonly group: string | null
  readonly label: string | null
  readonly n: number | null
  readonly mean: number | null
  readonly standardError: number | null
  readonly interval: MetricSummary['interval']
  readonly reason: string | null
  readonly cautions: readonly string[]
}

type MatchedPair = StoredAnalysis['pairs'][number]

export interface EvidenceAnalysis {
  readonly rows: number
  readonly mapped: number
  readonly unmappedCount: number
  readonly unmapped: readonly { readonly task_id: string; readonly line: number | null; readonly reason: string }[]
  /** The first matched rows of a suite, for a person to see that they are the same tasks. */
  readonly pairs: readonly MatchedPair[]
  /** Distinct labels of the rows that were taken; null is not a label. */
  readonly labels: readonly (string | null)[]
  readonly metrics: readonly AnalyzedMetric[]
  /** `value` is with `passAt` the share of its answers that pass. */
  readonly tasks: readonly EvidenceTask[]
  readonly cautions: readonly string[]
  readonly blocked: string | null
}

const listedUnmapped = 100
const shownPairs = 3
/** Characters of a question that a pair shows. */
const shownText = 400
/** z₀.₉₇₅. */
const usualQuantile = 1.959963984540054

/** Finds each row's task, takes the mean of a task's answers, and sums up. @throws EvidenceError */
export function analyzeEvidence(file: EvidenceFile, { passAt, label, suite, namesTasks }: AnalysisOptions): EvidenceAnalysis {
  const labels = [...new Set(file.rows.map(row => row.label))]
  if (label !== undefined && !labels.includes(label))
    throw new EvidenceError(`There is no label "${label.slice(0, 60)}"; the file has ${labels.slice(0, 10).join(', ') || 'none'}.`)
  const rows = label === undefined ? file.rows : file.rows.filter(row => row.label === label)
  const find = suite === null ? asNamed : taskMatcher(suite, namesTasks)
  const pairs: MatchedPair[] = []
  let differing = 0
  const unmapped: { task_id: string; line: number | null; reason: string }[] = []
  const answers = new Map<string, { readonly place: Place; readonly label: string | null; values: number[]; answers: number }>()
  let mapped = 0
  for (const row of rows) {
    const match = find(row)
    if (typeof match === 'string') {
      unmapped.push({ task_id: row.task, line: row.line, reason: match })
      continue
    }
    mapped++
    const { place } = match
    if (match.differs) differing++
    const key = JSON.stringify([place.sourceRef, place.taskId, row.label])
    const of = answers.get(key) ?? { place, label: row.label, values: [], answers: 0 }
    if (!answers.has(key)) {
      answers.set(key, of)
      if (suite !== null && pairs.length < shownPairs) pairs.push(pairOf(match))
    }
    of.answers++
    if (row.value !== null) of.values.push(passAt === undefined ? row.value : row.value >= passAt ? 1 : 0)
    if (answers.size > mostTasks) throw new EvidenceError(`The file has more than ${mostTasks} tasks.`, row.line)
  }
  const all = [...answers.values()]
  const tasks = all.map(({ place, label: of, values }): EvidenceTask => {
    const value = values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length
    return { task_id: place.taskId, source_ref: place.sourceRef, group: place.group, label: of, value, class: classOf(value) }
  })
  const repeated = all.filter(one => one.answers > 1).length
  const answered = new Set(tasks.filter(({ value }) => value !== null).map(task => `${task.source_ref} ${task.task_id}`)).size
  const kept = [...new Set(tasks.map(task => task.label))]
  const isOdd = passAt === undefined && tasks.some(({ value }) => value !== null && (value < 0 || value > 1))
  return {
    rows: rows.length,
    mapped,
    unmappedCount: unmapped.length,
    unmapped: unmapped.slice(0, listedUnmapped),
    pairs,
    labels: labelsOf(file, rows),
    tasks,
    metrics: file.rows.length === 0 ? file.figures.map(ofFigure) : metricsOf(tasks, rows),
    blocked: file.blocked,
    cautions: [
      ...(file.blocked === null ? [] : [`${file.blocked} It never satisfies coverage.`]),
      ...file.cautions,
      ...(file.rows.length === 0 ? ['There are no values of single tasks: it serves a minimum score alone.'] : []),
      ...(unmapped.length > 0
        ? [
            `${formatCount(unmapped.length)} of ${formatCount(rows.length)} rows ${unmapped.length === 1 ? 'belongs' : 'belong'} to no task of the suite.`,
          ]
        : []),
      ...(suite !== null && file.rows.length > 0 && answered < suite.length
        ? [
            `${formatCount(suite.length - answered)} of ${formatCount(suite.length)} tasks of the suite ${suite.length - answered === 1 ? 'has' : 'have'} no value.`,
          ]
        : []),
      ...(differing > 0
        ? [
            `${differing === 1 ? 'One row was' : `${formatCount(differing)} rows were`} matched by the id that you named, but the task asks another question.`,
          ]
        : []),
      ...(repeated > 0
        ? [
            `${repeated === 1 ? 'One task has' : `${formatCount(repeated)} tasks have`} several answers; the mean of each task's answers is used.`,
          ]
        : []),
      ...(kept.length > 1
        ? [`The file is about ${formatCount(kept.length)} labels; a decision needs one. Set label and analyze again.`]
        : []),
      ...(isOdd ? ['Some values are not between 0 and 1. Set pass_at to say which of them pass.'] : []),
    ],
  }
}

/** Without a suite, tasks are what the file calls them. */
function asNamed({ task }: EvidenceRow): Match {
  return { place: { group: null, sourceRef: null, taskId: task }, by: 'id', fileText: null, taskText: '', differs: false }
}

function pairOf({ place, by, fileText, taskText }: Match): MatchedPair {
  return { task_id: place.taskId, by, file_text: fileText?.slice(0, shownText) ?? null, task_text: taskText.slice(0, shownText) }
}

function labelsOf({ figures }: EvidenceFile, rows: readonly EvidenceRow[]): (string | null)[] {
  return [...new Set((rows.length === 0 ? figures : rows).map(({ label }) => label))]
}

function classOf(value: number | null): EvidenceTask['class'] {
  if (value === null) return 'unscored'
  return value === 1 ? 'pass' : value === 0 ? 'fail' : 'partial'
}

/** Of each label: of each group of the suite, and of all where there are several groups. */
function metricsOf(tasks: readonly EvidenceTask[], rows: readonly EvidenceRow[]): AnalyzedMetric[] {
  const name = rows[0]?.metric ?? 'value'
  return [...Map.groupBy(tasks, task => task.label)].flatMap(([label, of]) => {
    const groups = [...Map.groupBy(of, task => task.group)]
    const parts = groups.map(([group, members]) => summed(members, { name, label, group }))
    return groups.length > 1 ? [summed(of, { name, label, group: null }), ...parts] : parts
  })
}

function summed(tasks: readonly EvidenceTask[], named: Pick<AnalyzedMetric, 'name' | 'label' | 'group'>): AnalyzedMetric {
  const values = tasks.flatMap(({ value }) => (value === null ? [] : [value]))
  const isBinary = values.length > 0 && values.every(value => value === 0 || value === 1)
  const { n, mean, standardError, interval, reason, cautions } = summarizeMetric(values, { binary: isBinary })
  return { ...named, n, mean, standardError, interval, reason, cautions }
}

/** A stated figure with the interval of its own standard error. */
function ofFigure({ name, group, label, value, standardError, n }: EvidenceFigure): AnalyzedMetric {
  const half = standardError === null ? null : usualQuantile * standardError
  return {
    name,
    group,
    label,
    n,
    mean: value,
    standardError,
    interval: half === null ? null : { low: value - half, high: value + half, level: 0.95, method: 'stated_standard_error' },
    reason: half === null ? 'The file states no standard error.' : null,
    cautions: [],
  }
}
