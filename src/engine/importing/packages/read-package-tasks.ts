import { Readable } from 'node:stream'
import type { PackageManifest } from '../../../contract/creator/manifest.schemas.ts'
import { choiceLabel, letteredChoices } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import { mediaIn } from '../../../contract/messages/messages.schemas.ts'
import type { Shot, Task } from '../../tasks/task.ts'
import type { ImportSource, RowFormat, TaskContent } from '../files/import-source.ts'
import { type ImportLimits, importLimits } from '../files/limits.ts'
import { mappedTable } from '../files/mapped-table.ts'
import { readItems } from '../files/read-items.ts'
import { presentField, scalarText } from '../files/row-fields.ts'
import { type Row, RowError } from '../files/row.ts'
import type { MediaIntake, PendingFile } from '../media/media-intake.ts'
import { mediaOf } from '../media/media-columns.ts'
import { placeMedia } from '../media/place-media.ts'
import { taskInput } from '../messages/read-conversation.ts'
import { croissantRows } from './croissant/croissant-rows.ts'
import type { OpenedPackage } from './open-package.ts'
import { mediaColumns, packageIntake } from './package-media.ts'
import type { PackageTask } from './package-task.ts'
import { readWorldTasks } from './package-world.ts'

const limits: ImportLimits = { ...importLimits, tasks: 100_000, badRows: 100 }

/** Position of a task in the package. */
export interface TaskPlace {
  readonly file: string
  /** From 1; of a table, the row. */
  readonly line: number
}

export interface PackageTasks {
  /** Of both splits, those of `test` first. */
  readonly tasks: readonly Task[]
  readonly clusters: ReadonlyMap<string, string>
  /** Position of each task, by its id. */
  readonly places: ReadonlyMap<string, TaskPlace>
  /** What is wrong with the files, by line. */
  readonly problems: readonly string[]
  /** Files that the tasks show; those with bytes are to be written before their rows. */
  readonly media: readonly PendingFile[]
}

/** Reads the tasks of a package by the readers of imports. */
export async function readPackageTasks(opened: OpenedPackage): Promise<PackageTasks> {
  const { manifest, world } = opened
  if (world) return readWorldTasks(world, opened.read(manifest.splits.test.file).toString('utf8'))
  const tasks: Task[] = []
  const problems: string[] = []
  const clusters = new Map<string, string>()
  const places = new Map<string, TaskPlace>()
  const ids = new Set<string>()
  const intake = packageIntake(opened)
  for (const split of ['test', 'canonical'] as const) {
    const file = manifest.splits[split]?.file
    if (file === undefined) continue
    const { source, fault } = await openSplit(opened, split, file, intake)
    if (fault !== null) problems.push(`"${file}": ${fault}`)
    else
      for await (const item of readItems(source, limits)) {
        if (item.kind === 'problem') problems.push(`"${file}"${item.line === null ? '' : `, line ${item.line}`}: ${item.message}`)
        if (problems.length >= limits.badRows) break
        if (item.kind !== 'task') continue
        if (ids.has(item.task.id)) problems.push(`"${file}", line ${item.row.line}: the id "${item.task.id.slice(0, 100)}" is used twice.`)
        ids.add(item.task.id)
        places.set(item.task.id, { file, line: item.row.line })
        tasks.push({ ...item.task, split })
        const cluster = manifest.fields.cluster === undefined ? undefined : item.row.value[manifest.fields.cluster]
        if (typeof cluster === 'string' || typeof cluster === 'number') clusters.set(item.task.id, String(cluster))
        if (tasks.length > limits.tasks) {
          problems.push(`A package may hold at most ${limits.tasks} tasks.`)
          break
        }
      }
  }
  const shots = Math.max(...manifest.profiles.map(profile => profile.shots))
  const shown = tasks.filter(({ split }) => split === 'canonical').slice(0, shots)
  const pictured = shown.find(task => digestsOf(task).length > 0)
  if (pictured)
    problems.push(`The worked example "${pictured.id}" has files, and worked examples are text. Set "shots" to 0, or choose others.`)
  return { tasks, problems, clusters, places, media: intake?.takePending() ?? [] }
}

function digestsOf({ conversations = {} }: Pick<Task, 'conversations'>): readonly string[] {
  return mediaIn(Object.values(conversations).flat())
}

/** Worked examples: the tasks of the canonical split, with their answer. */
export function shotsOf(tasks: readonly Task[]): Shot[] {
  return tasks.flatMap(({ split, fields, choices, targets, metadata }) => {
    if (split !== 'canonical') return []
    const answer = metadata['reference_output']
    return [
      { fields: { ...fields, choices: letteredChoices(choices ?? []), target: typeof answer === 'string' ? answer : (targets[0] ?? '') } },
    ]
  })
}

/** A task as the checks see it. */
export function checkedTask(task: Task, cluster: string | null): PackageTask {
  const { id, split, fields, choices, targets, metadata } = task
  const correct = choices?.flatMap((_, i) => (targets.includes(choiceLabel(i)) ? [i] : [])) ?? null
  const reference = metadata['reference_output']
  return {
    id,
    split,
    input: fields['input'] ?? '',
    choices,
    correct,
    targets: choices && correct ? correct.map(i => choices[i] ?? '') : targets,
    reference: typeof reference === 'string' ? reference : null,
    cluster,
    media: digestsOf(task),
    others: Object.entries(metadata).flatMap(([name, value]) => (name === 'reference_output' || name === 'input' ? [] : textsIn(value))),
  }
}

/** The texts of a value: its own, or of its items. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

async function openSplit(
  { manifest: { fields }, croissant, read }: OpenedPackage,
  split: 'test' | 'canonical',
  file: string,
  intake: MediaIntake | null,
): Promise<{ readonly source: ImportSource; readonly fault: string | null }> {
  const { id, input, target, choices, reference } = fields
  const sourceOf = (content: TaskContent): ImportSource => ({ name: file, content, open: () => Readable.from([bytes]) })
  const bytes = read(file)
  const written = formatOf(file)
  const format: RowFormat = croissant
    ? { kind: 'given', rows: await croissantRows(croissant, split, written, { path: file, bytes }, limits) }
    : written
  if (target === undefined && choices === undefined)
    return {
      source: sourceOf({ format, holds: 'tasks', read: row => withMore(row, openTask(row, fields, intake), fields, reference) }),
      fault: null,
    }
  const table = mappedTable(
    format,
    { id, input, target: target ?? null, choices: choices ?? null, media: fields.media ?? null },
    {},
    { intake },
  )
  const content: TaskContent = { format, holds: 'tasks', read: row => withMore(row, table.readTask(row), fields, reference) }
  const { fault } = await table.survey(sourceOf(content), limits)
  return { source: sourceOf(content), fault }
}

/** A task that its scorer judges by metadata alone, such as tests. */
function openTask(row: Row, fields: PackageManifest['fields'], intake: MediaIntake | null): Task {
  const { id, input } = fields
  const text = scalarText(presentField(row, input), input)
  const name = scalarText(presentField(row, id), id).trim()
  if (name === '' || name.length > 200 || /\p{Cc}/u.test(name))
    throw new RowError(`The id in "${id}" must be 1 to 200 characters without control characters.`)
  if (text.trim() === '') throw new RowError(`The field "${input}" is empty.`)
  const asked = taskInput([{ role: 'user', content: placeMedia(text, mediaOf(row.value, mediaColumns(fields), intake)) }])
  return { id: name, split: 'test', ...asked, targets: [], choices: null, metadata: {}, capabilities: [], dependsOn: [] }
}

/** Columns that the manifest gives no part are what scorers may need: tests, an entry point, constraints. */
function withMore(
  row: Row,
  task: Task,
  { id, target, choices, media = {} }: PackageManifest['fields'],
  reference: string | undefined,
): Task {
  const files = new Set(Object.values(media))
  const rest = Object.fromEntries(
    Object.entries(row.value).filter(([name]) => name !== id && name !== target && name !== choices && !files.has(name)),
  )
  const solution = reference === undefined ? null : row.value[reference]
  if (solution != null && typeof solution !== 'string') throw new RowError(`The field "${reference}" must be text.`)
  return { ...task, metadata: { ...rest, ...task.metadata, ...(solution ? { reference_output: solution } : {}) } }
}

function formatOf(file: string): RowFormat {
  if (/\.parquet$/i.test(file)) return { kind: 'parquet' }
  if (/\.csv$/i.test(file)) return { kind: 'csv' }
  return /\.json$/i.test(file) ? { kind: 'json' } : { kind: 'jsonl' }
}
