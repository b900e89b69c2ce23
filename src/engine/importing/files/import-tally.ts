import { createHash } from 'node:crypto'
import { ContentDigest } from '../../content/benchmarks/content-digest.ts'
import { inputOf } from '../../content/benchmarks/task-preview.ts'
import { groupOf, type Shot, type Task } from '../../tasks/task.ts'
import { nameFew } from '../../../lib/format/name-few.ts'
import { columnSample } from './column-sample.ts'
import type { ImportLimits } from './limits.ts'
import type { Item } from './read-items.ts'
import { type PreviewRow, previewRow } from './preview-row.ts'
import type { MissingColumn, Problem, Row } from './row.ts'

const previewRows = 20
export const listedProblems = 100
const listedColumns = 200

/** Few-shot examples to keep: in all, or per group where a task is shown those of its group. */
export interface ShotsWanted {
  readonly count: number
  /** Metadata of a task that names its group; null where all tasks are shown the same examples. */
  readonly by: string | null
  /** Of groups that want another number than `count`. */
  readonly countOf?: ReadonlyMap<string, number>
}

export const noShots: ShotsWanted = { count: 0, by: null }

/** What blind guessing comes to over some tasks. */
interface Guessing {
  readonly tasks: number
  /** Expected score; null unless every task has choices. */
  readonly chanceLevel: number | null
  readonly mostChoices: number
}

interface FileProblem extends Problem {
  readonly file: string
}

/** What the rows of an import are and what is wrong with them. */
export interface Tallied {
  readonly rows: { readonly read: number; readonly valid: number; readonly invalid: number; readonly examples?: number }
  /** Names of the fields seen in the files that hold tasks. */
  readonly columns: readonly string[]
  /** The beginning of the first value of each column, in the same order; empty where it has none. */
  readonly columnSamples: readonly string[]
  readonly preview: readonly PreviewRow[]
  /** Whole, in the order of `preview`. */
  readonly previewTasks: readonly Task[]
  /** The first hundred, in the order of files and lines. */
  readonly problems: readonly FileProblem[]
  readonly problemCount: number
  /** Rows that are not imported: the first hundred, and how many there are. */
  readonly leftOut: readonly { readonly file: string; readonly line: number; readonly message: string }[]
  readonly leftOutCount: number
  readonly warnings: readonly string[]
  readonly taskCounts: { readonly test: number; readonly canonical: number }
  /** Expected score of blind guessing; null unless every task has choices. */
  readonly chanceLevel: number | null
  /** Of any task; 0 where none has choices. */
  readonly mostChoices: number
  /** The same of each group of tasks, where examples are wanted by group. */
  readonly groups: ReadonlyMap<string, Guessing>
  /** The requested number of few-shot examples, or fewer where there are not enough. */
  readonly shots: readonly Shot[]
  /** Over all tasks and kept examples. */
  readonly digest: string
}

/** Counts and keeps what is worth knowing of the items that pass by. */
export class Tally {
  private readonly limits: ImportLimits
  private readonly wanted: ShotsWanted
  private readonly digest = new ContentDigest()
  private readonly rows = { read: 0, valid: 0, invalid: 0 }
  /** Rows that are bad whatever columns are chosen. */
  private bad = 0
  private examples = 0
  /** The beginning of the first value of each. */
  private readonly columns = new Map<string, string>()
  private readonly preview: PreviewRow[] = []
  private readonly previewTasks: Task[] = []
  private readonly problems: FileProblem[] = []
  private problemCount = 0
  private readonly counts = { test: 0, canonical: 0 }
  private readonly shots: Shot[] = []
  /** How many examples of each group are kept. */
  private readonly shotsOf = new Map<string, number>()
  /** Choices of each task of a group. */
  private readonly choicesOf = new Map<string, number[]>()
  /** Where each task id was first used. */
  private readonly ids = new Map<string, string>()
  /** Number of choices of each task; 0 for an open question. */
  private readonly choices: number[] = []
  private readonly inputs = new Set<string>()
  private readonly repeated = { count: 0, first: '' }
  private readonly skipped: { file: string; line: number; message: string }[] = []
  private skippedCount = 0
  private file = ''
  private leavesOut = false

  constructor(wanted: ShotsWanted, limits: ImportLimits) {
    this.wanted = wanted
    this.limits = limits
  }

  /** @param leavesOut whether rows of it that cannot be used are left out */
  beginFile(name: string, leavesOut: boolean): void {
    this.file = name
    this.leavesOut = leavesOut
  }

  /** False when reading on is pointless. */
  take(item: Item): boolean {
    if (item.kind === 'skipped') return this.skip(item.line, item.message)
    if (item.kind === 'problem') {
      if (item.row) this.noteColumns(item.row)
      if (item.line !== null) this.rows.read++
      if (item.missingColumn === undefined) return this.fault(item.line, item.message)
      this.miss(item.missingColumn, item.message)
      return true
    }
    this.rows.read++
    if (item.kind === 'shot') {
      this.keepShot(item.shot)
      this.examples++
      this.rows.valid++
      return true
    }
    this.noteColumns(item.row)
    return this.takeTask(item.row.line, item.task)
  }

  /** Ends it. */
  result(): Tallied {
    if (this.problemCount === 0 && this.rows.valid === 0)
      this.fault(
        null,
        this.skippedCount === 0
          ? 'The file holds no rows.'
          : `${this.skipped[0]?.message ?? ''} ${this.skippedCount === 1 ? 'That is the only row' : `All ${this.skippedCount} rows are left out, for this or a similar reason`}: nothing would be imported.`,
      )
    else if (this.problemCount === 0 && this.ids.size === 0) this.fault(null, 'None of the files holds tasks.')
    const { chanceLevel, mostChoices } = guessing(this.choices)
    return {
      rows: { ...this.rows, ...(this.examples > 0 && { examples: this.examples }) },
      columns: [...this.columns.keys()],
      columnSamples: [...this.columns.values()],
      preview: this.preview,
      previewTasks: this.previewTasks,
      problems: this.problems,
      problemCount: this.problemCount,
      leftOut: this.skipped,
      leftOutCount: this.skippedCount,
      warnings: [...this.repetitions(), ...this.shortages()],
      taskCounts: this.counts,
      chanceLevel,
      mostChoices,
      groups: new Map([...this.choicesOf].map(([group, choices]) => [group, guessing(choices)])),
      shots: this.shots,
      digest: this.digest.of(this.shots),
    }
  }

  private repetitions(): string[] {
    const { count, first } = this.repeated
    if (count === 0) return []
    return [
      `${count} ${count === 1 ? 'row repeats' : 'rows repeat'} the input of an earlier one, first ${first}. They are kept and count as separate tasks.`,
    ]
  }

  /** Groups with tasks that have some examples, but too few of their own. */
  private shortages(): string[] {
    const { by } = this.wanted
    if (by === null || this.shots.length === 0) return []
    const short = [...this.choicesOf].filter(([group]) => (this.shotsOf.get(group) ?? 0) < this.countOf(group))
    if (short.length === 0) return []
    const tasks = short.reduce((sum, [, of]) => sum + of.length, 0)
    const most = short.reduce((count, [group]) => Math.max(count, this.countOf(group)), 0)
    return [
      `${tasks} tasks are shown fewer than ${most} worked examples: there are not enough of their own ${by} (${nameFew(
        short.map(([group]) => group),
        5,
      )}).`,
    ]
  }

  private countOf(group: string): number {
    return this.wanted.countOf?.get(group) ?? this.wanted.count
  }

  private keepShot(shot: Shot): void {
    const group = this.wanted.by === null ? '' : (shot.group ?? '')
    const kept = this.shotsOf.get(group) ?? 0
    if (kept >= this.countOf(group)) return
    this.shotsOf.set(group, kept + 1)
    this.shots.push(shot)
  }

  private noteColumns({ value }: Row): void {
    for (const [name, cell] of Object.entries(value)) {
      const sample = this.columns.get(name)
      if (sample === undefined ? this.columns.size < listedColumns : sample === '') this.columns.set(name, columnSample(cell))
    }
  }

  private takeTask(line: number, task: Task): boolean {
    const used = this.ids.get(task.id)
    if (used !== undefined) {
      const message = `The id "${task.id.slice(0, 100)}" was already used ${used}.`
      return this.leavesOut ? this.skip(line, message) : this.fault(line, message)
    }
    if (this.ids.size >= this.limits.tasks) {
      this.fault(line, `An import may hold at most ${this.limits.tasks} tasks; this row is one too many. The rest was not read.`)
      return false
    }
    this.ids.set(task.id, `on line ${line} of ${this.file}`)
    this.noteRepetition(line, task)
    this.digest.add(task)
    this.counts[task.split]++
    const choices = task.choices?.length ?? 0
    this.choices.push(choices)
    this.rows.valid++
    if (this.wanted.by !== null) {
      const group = groupOf(task, this.wanted.by)
      const others = this.choicesOf.get(group)
      if (others) others.push(choices)
      else this.choicesOf.set(group, [choices])
    }
    if (this.preview.length < previewRows) {
      this.preview.push(previewRow(line, task))
      this.previewTasks.push(task)
    }
    return true
  }

  private skip(line: number, message: string): true {
    if (this.skippedCount++ < listedProblems) this.skipped.push({ file: this.file, line, message })
    return true
  }

  private noteRepetition(line: number, task: Task): void {
    const key = createHash('sha256')
      .update(JSON.stringify([inputOf(task), task.choices]))
      .digest('base64url')
      .slice(0, 22)
    if (!this.inputs.has(key)) this.inputs.add(key)
    else if (this.repeated.count++ === 0) this.repeated.first = `on line ${line} of ${this.file}`
  }

  /** A choice of the column mends all rows, so it is one error of the file, and the first. The rest may have faults of its own. */
  private miss(missingColumn: MissingColumn, message: string): void {
    this.rows.invalid++
    if (this.problems[0]?.missingColumn !== undefined) return
    this.problemCount++
    this.problems.unshift({ file: this.file, line: null, message, missingColumn })
    this.problems.splice(listedProblems)
  }

  /** False when there are so many bad rows that reading on is pointless. */
  private fault(line: number | null, message: string): boolean {
    if (line !== null) {
      this.rows.invalid++
      this.bad++
    }
    this.problemCount++
    if (this.problems.length < listedProblems) this.problems.push({ file: this.file, line, message })
    if (this.bad < this.limits.badRows) return true
    const stopped = `Reading stopped after ${this.limits.badRows} bad rows, so the rest was not checked. Fix these and import the file again.`
    this.problemCount++
    // Among those that are shown, whatever their number.
    this.problems.splice(listedProblems - 1, 1, { file: this.file, line: null, message: stopped })
    return false
  }
}

/** @param choices number of choices of each task; 0 for an open question */
function guessing(choices: readonly number[]): Guessing {
  const isClosed = choices.length > 0 && choices.every(count => count > 0)
  return {
    tasks: choices.length,
    chanceLevel: isClosed ? choices.reduce((sum, count) => sum + 1 / count, 0) / choices.length : null,
    mostChoices: choices.reduce((most, count) => Math.max(most, count), 0),
  }
}
