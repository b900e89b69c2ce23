import type { OrderedFile } from '../import-order.ts'
import { orderFault } from '../order-fault.ts'
import type { TaskConfig } from './task-config.ts'
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
export function dataOf(members: readonly Member[], data: readonly OrderedFile[]): TaskData[] {
  const owners = data.map(file => ownersOf(file, members))
  const found = members.map(member => {
    const own = data.filter((_, i) => owners[i]?.includes(member))
    return splitsOf(member, members.length === 1 ? data : own)
  })
  const unused = data.find(file => !found.some(({ tested, shown }) => tested === file || shown === file))
  if (unused) {
    const [only] = members
    const use =
      members.length === 1 && only
        ? `it asks "${testedSplit(only.config) ?? 'test'}" and shows examples of "${shownSplit(only.config) ?? 'none'}"`
        : 'its name contains the name of no task and of no data set'
    throw orderFault(unused.name, null, `${members.length === 1 ? 'The task' : 'The group'} has no use for this file; ${use}.`)
  }
  return found
}

/** The tasks whose name, or whose data set's name, is the longest within the file's. */
function ownersOf({ name }: OrderedFile, members: readonly Member[]): readonly Member[] {
  const words = ` ${wordsOf(name)} `
  const lengths = members.map(({ name: task, config }) => {
    if (isNamed(config, name)) return Infinity
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
  const byName = (split: string | null) => (split === null ? undefined : data.find(one => isSplit(config, one.name, split)))
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

function isNamed({ dataset_kwargs: kwargs }: TaskConfig, name: string): boolean {
  return Object.values(kwargs?.data_files ?? {}).some(paths => paths.some(path => path.split('/').at(-1) === name))
}

/** As the task names its files, or by a word of the name, as in `test.jsonl` and `test-00000-of-00001.parquet`. */
function isSplit({ dataset_kwargs: kwargs }: TaskConfig, name: string, split: string): boolean {
  const named = kwargs?.data_files?.[split]?.some(path => path.split('/').at(-1) === name)
  return (
    named === true ||
    name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .includes(split.toLowerCase().split('[')[0] ?? split)
  )
}
