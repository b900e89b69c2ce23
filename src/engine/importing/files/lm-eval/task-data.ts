import { posix } from 'node:path'
import type { OrderedFile } from '../import-order.ts'
import { orderFault } from '../order-fault.ts'
import { baseName, pathFrom, type TaskConfig, type TaskNames } from './task-config.ts'
import { isOfFolder } from './task-folder.ts'
import type { Member } from './task-set.ts'

/** The data of one task of a set. */
export interface TaskData {
  readonly tested: OrderedFile
  /** Examples to show; null where there are none. */
  readonly shown: OrderedFile | null
}

/**
 * Which files are of which task: those that it names in `dataset_kwargs`, or whose name contains the name of the task or of its data
 * set. Files of tasks over the same data are shared.
 * @throws OrderFault naming the task whose data is missing, or the file that is of no use
 */
export function dataOf(
  members: readonly Member[],
  others: readonly TaskNames[],
  data: readonly OrderedFile[],
): { readonly found: TaskData[]; readonly unused: readonly OrderedFile[] } {
  const owners = data.map(file => ownersOf(file, [...members, ...others]))
  const [only] = members
  // A task that came alone has the files that came with it, whatever they are called.
  const isAlone = members.length === 1 && others.length === 0
  const found = members.map(member => {
    const own = data.filter((_, i) => owners[i]?.includes(member) ?? false)
    return splitsOf(member, isAlone ? data : own)
  })
  const unused = data.filter(file => !found.some(({ tested, shown }) => tested === file || shown === file))
  // A folder may hold what its tasks do not use.
  const odd = unused.find(file => !isOfFolder(file))
  if (odd) {
    const use =
      members.length === 1 && only
        ? `it asks "${testedSplit(only.config) ?? 'test'}" and shows examples of "${shownSplit(only.config) ?? 'none'}"`
        : 'its name contains the name of no task and of no data set'
    throw orderFault(odd.name, null, `${members.length === 1 ? 'The task' : 'The group'} has no use for this file; ${use}.`)
  }
  return { found, unused }
}

/** The tasks whose name, or whose data set's name, is the longest within the file's. */
function ownersOf({ name }: OrderedFile, members: readonly TaskNames[]): readonly TaskNames[] {
  const words = ` ${wordsOf(name)} `
  const lengths = members.map(({ name: task, config, file }) => {
    if (isNamed({ config, file }, name)) return Infinity
    const names = [task, config.task_alias, config.dataset_name ?? undefined, config.dataset_path?.split('/').at(-1)]
    return Math.max(0, ...names.map(one => (one !== undefined && words.includes(` ${wordsOf(one)} `) ? one.length : 0)))
  })
  const longest = Math.max(0, ...lengths)
  // A file without any such name is of all tasks if they are over the same data.
  if (longest === 0) return new Set(members.map(({ config }) => `${config.dataset_path}/${config.dataset_name}`)).size === 1 ? members : []
  return members.filter((_, i) => lengths[i] === longest)
}

function wordsOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function testedSplit(config: TaskConfig): string | null {
  return config.test_split ?? config.validation_split ?? null
}

function shownSplit(config: TaskConfig): string | null {
  return config.fewshot_split ?? config.training_split ?? config.validation_split ?? null
}

/** The data files of the evaluated split and of the few-shot examples. */
function splitsOf({ config, file, name }: Member, data: readonly OrderedFile[]): TaskData {
  const asked = testedSplit(config)
  const fromSplit = shownSplit(config)
  const byName = (split: string | null) => (split === null ? undefined : data.find(one => isSplit({ config, file }, one.name, split)))
  const [only] = data
  const tested =
    byName(asked) ??
    (data.length === 1 && only && !(asked !== null && byName(fromSplit) === only && fromSplit !== asked) ? only : undefined)
  if (!tested)
    throw orderFault(
      file.name,
      file.lineOf('test_split') ?? file.lineOf('validation_split'),
      data.length === 0
        ? `Send the data of "${name}" beside the task${asked === null ? '' : `: the split "${asked}" of "${[config.dataset_path, config.dataset_name].filter(Boolean).join(', ') || 'its data set'}"`}. It is not fetched.`
        : `None of ${data.map(one => `"${one.name}"`).join(', ')} is named after the evaluated split "${asked ?? 'test'}" of "${name}".`,
    )
  const shown = byName(fromSplit) ?? null
  return { tested, shown: shown === tested ? null : shown }
}

type Naming = Pick<TaskNames, 'config' | 'file'>

function isNamed(task: Naming, name: string): boolean {
  return Object.values(task.config.dataset_kwargs?.data_files ?? {}).some(paths => paths.some(path => isAt(task, path, name)))
}

/** Whether a file is the one at a path that a task gives: from its folder, from the folder of all, or by its name where it came without one. */
function isAt({ file }: Naming, path: string, name: string): boolean {
  const plain = posix.normalize(path.replaceAll('\\', '/'))
  if (!name.includes('/')) return baseName(plain) === name
  return name === pathFrom(file.name, plain) || name === plain || name.endsWith(`/${plain}`) || plain.endsWith(`/${name}`)
}

/** As the task names its files, or by a word of the name, as in `test.jsonl` and `test-00000-of-00001.parquet`. */
function isSplit(task: Naming, name: string, split: string): boolean {
  const files = task.config.dataset_kwargs?.data_files
  if (files?.[split]?.some(path => isAt(task, path, name)) === true) return true
  // Named as another split's.
  if (isNamed(task, name)) return false
  return baseName(name)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .includes(split.toLowerCase().split('[')[0] ?? split)
}
