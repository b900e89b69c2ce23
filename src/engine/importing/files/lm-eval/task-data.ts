import { posix } from 'node:path'
import type { OrderedFile } from '../import-order.ts'
import { OrderFault, orderFault } from '../order-fault.ts'
import { baseName, pathFrom, type TaskConfig, type TaskNames } from './task-config.ts'
import { isOfFolder } from './task-folder.ts'
import type { Member } from './task-set.ts'

/** The data of one task of a set. */
export interface TaskData {
  /** In the order of their rows; several where the split came in parts. */
  readonly tested: readonly OrderedFile[]
  /** Examples to show. */
  readonly shown: readonly OrderedFile[]
}

/**
 * Which files are of which task: those that it names in `dataset_kwargs`, or whose path contains the name of its subset, of the task or
 * of its data set. Files of tasks over the same data are shared.
 * @returns in `found`, by member, its data or what is missing of it
 * @throws OrderFault naming the file that is of no use
 */
export function dataOf(
  members: readonly Member[],
  others: readonly TaskNames[],
  data: readonly OrderedFile[],
): { readonly found: (TaskData | OrderFault)[]; readonly unused: readonly OrderedFile[] } {
  const known = [...members, ...others].map(namesOf)
  const imported: ReadonlySet<TaskNames> = new Set(members)
  const settingsIn = new Set(known.map(({ task }) => posix.dirname(task.file.name)))
  const owners = new Map<OrderedFile, readonly TaskNames[]>()
  const filesOf = new Map<TaskNames, OrderedFile[]>(known.map(({ task }) => [task, []]))
  const unclear = new Map<TaskNames, OrderFault>()
  for (const file of data) {
    const { tasks, fault } = ownersOf(file, known, imported, settingsIn)
    // In a folder it costs the tasks that have no other data, and not all of them.
    if (fault && !isOfFolder(file)) throw fault
    owners.set(file, tasks)
    for (const task of tasks) if (fault) unclear.set(task, fault)
    if (!fault) for (const task of tasks) filesOf.get(task)?.push(file)
  }
  // A task that came alone has the files that came with it, whatever they are called.
  const isAlone = members.length === 1 && others.length === 0
  const found = members.map(member => {
    const own = filesOf.get(member) ?? []
    const splits = faultOr(() => splitsOf(member, isAlone ? data.filter(file => !isOfFolder(file) || own.includes(file)) : own))
    return splits instanceof OrderFault ? (unclear.get(member) ?? splits) : splits
  })
  const used = new Set(found.flatMap(one => (one instanceof OrderFault ? [] : [...one.tested, ...one.shown])))
  const unused = data.filter(file => !used.has(file))
  const usable: ReadonlySet<TaskNames> = new Set(members.filter((_, i) => !(found[i] instanceof OrderFault)))
  // A folder may hold what its tasks do not use, and files may be of tasks that are left out.
  const isOfOthers = (file: OrderedFile): boolean => owners.get(file)?.some(owner => !usable.has(owner)) ?? false
  const odd = unused.find(file => !isOfFolder(file) && !isOfOthers(file))
  // People send all splits of a task, which says what it did not use.
  if (odd && members.length > 1)
    throw orderFault(
      odd.name,
      null,
      'Put the name of its task or subset into the name of this file. The group has no use for it: its name contains that of no task and of no data set.',
    )
  return { found, unused }
}

function faultOr<T>(read: () => T): T | OrderFault {
  try {
    return read()
  } catch (error) {
    if (error instanceof OrderFault) return error
    throw error
  }
}

/** How a file names a task that does not name it: by its subset, its own name, or its data set alone. The first is the surest. */
const ways = ['subset', 'name', 'dataset'] as const

/** Of Hugging Face's, in place of a data set. */
const fileReaders: ReadonlySet<string> = new Set([
  'json',
  'csv',
  'parquet',
  'text',
  'arrow',
  'pandas',
  'xml',
  'webdataset',
  'imagefolder',
  'audiofolder',
])

interface FoundNaming {
  readonly way: (typeof ways)[number]
  /** Characters of the name that was found; of several the longest is meant. */
  readonly length: number
}

interface Owners {
  readonly tasks: readonly TaskNames[]
  /** Where it could be of several subsets: those are its tasks. */
  readonly fault?: OrderFault
}

/**
 * The tasks that a file is of. The data set decides where a path names it, and then the subset: a file that names a data set alone is of
 * no task where its tasks are over different subsets of it.
 * @param settingsIn folders of the tasks' settings, whose names say nothing about the data
 */
function ownersOf(
  file: OrderedFile,
  all: readonly KnownNames[],
  imported: ReadonlySet<TaskNames>,
  settingsIn: ReadonlySet<string>,
): Owners {
  const { name } = file
  const words = ` ${wordsOf(name)} `
  const byPath = all.filter(({ task }) => isNamed(task, name)).map(({ task }) => task)
  if (byPath.length > 0) return { tasks: byPath }
  const known = overNamedSet(name, words, all, settingsIn)
  const found = known.flatMap(member => {
    const naming = namingOf(member, words)
    return naming ? [{ member, ...naming }] : []
  })
  if (found.length === 0) {
    // A folder holds other files as well: prompts, translations, notes.
    const isData = !isOfFolder(file) || splitWordsIn(name).length > 0
    // A file without any such name is of all tasks if they are over the same data.
    return { tasks: isData && new Set(known.map(({ key }) => key)).size === 1 ? known.map(({ task }) => task) : [] }
  }
  const way = ways.find(one => found.some(naming => naming.way === one))
  const likely = found.filter(naming => naming.way === way)
  const longest = Math.max(...likely.map(({ length }) => length))
  const best = likely.filter(({ length }) => length === longest).map(({ member }) => member)
  const tasks = best.map(({ task }) => task)
  const keys = new Set(best.map(({ key }) => key))
  if (keys.size > 1) {
    if (!tasks.some(task => imported.has(task))) return { tasks }
    if (way === 'dataset') {
      const whole = best.filter(({ task }) => !hasSubset(task.config))
      return { tasks: new Set(whole.map(({ key }) => key)).size === 1 ? whole.map(({ task }) => task) : [] }
    }
    const fault = orderFault(
      name,
      null,
      `It is not clear which task this file belongs to: ${tasks
        .slice(0, 5)
        .map(task => `"${task.name}"`)
        .join(' or ')}. Put it in a folder with the name of its data set and, in that, of its subset ("dataset_path", "dataset_name").`,
    )
    return { tasks, fault }
  }
  // Others over the same data share it, whatever they are called.
  return { tasks: found.flatMap(({ member }) => (best.includes(member) || keys.has(member.key) ? [member.task] : [])) }
}

/** The tasks over the data set that a path names with its owner, or as a folder of its own; all of them where it names none. */
function overNamedSet(name: string, words: string, known: readonly KnownNames[], settingsIn: ReadonlySet<string>): readonly KnownNames[] {
  const folders = foldersOf(name).filter(folder => !settingsIn.has(folder))
  const called = new Set(folders.map(folder => wordsOf(baseName(folder))))
  const named = (of: (one: KnownNames) => string, isNamed: (set: string) => boolean): readonly KnownNames[] => {
    const sets = new Set(known.map(of).filter(set => set !== '' && isNamed(set)))
    const longest = Math.max(0, ...[...sets].map(set => set.length))
    return known.filter(one => sets.has(of(one)) && of(one).length === longest)
  }
  const byOwner = named(
    ({ owned }) => owned,
    set => words.includes(` ${set} `),
  )
  if (byOwner.length > 0) return byOwner
  const byFolder = named(
    ({ setFolder }) => setFolder,
    set => called.has(set),
  )
  return byFolder.length > 0 ? byFolder : known
}

/** Every folder that a path is in. */
function foldersOf(path: string): string[] {
  const folder = posix.dirname(path)
  return folder === '.' || folder === '/' ? [] : [...foldersOf(folder), folder]
}

/** What files may call a task, made once: there may be hundreds of tasks and thousands of files. */
interface KnownNames {
  readonly task: TaskNames
  /** The same for tasks over the same data. */
  readonly key: string
  /** Words of the data set with its owner; empty where it has none. */
  readonly owned: string
  /** Words of the data set's folder; empty where the settings name a way to read files instead. */
  readonly setFolder: string
  readonly names: Readonly<Record<FoundNaming['way'], readonly { readonly words: string; readonly length: number }[]>>
}

function namesOf(task: TaskNames): KnownNames {
  const { name, config } = task
  const set = config.dataset_path !== undefined && !fileReaders.has(config.dataset_path) ? config.dataset_path : ''
  const inWords = (names: readonly (string | null | undefined)[]) =>
    names.flatMap(one => (one && wordsOf(one) !== '' ? [{ words: ` ${wordsOf(one)} `, length: one.length }] : []))
  return {
    task,
    key: keyOf(task),
    owned: set.includes('/') ? wordsOf(set) : '',
    setFolder: wordsOf(set.split('/').at(-1) ?? ''),
    names: {
      subset: hasSubset(config) ? inWords([config.dataset_name]) : [],
      name: inWords([name, config.task_alias]),
      dataset: inWords([config.dataset_path, config.dataset_path?.split('/').at(-1)]),
    },
  }
}

function namingOf({ names }: KnownNames, words: string): FoundNaming | null {
  for (const way of ways) {
    const length = names[way].reduce((longest, one) => (words.includes(one.words) ? Math.max(longest, one.length) : longest), 0)
    if (length > 0) return { way, length }
  }
  return null
}

/** Of data sets with one subset alone, Hugging Face calls it "default". */
function hasSubset({ dataset_name: subset }: TaskNames['config']): boolean {
  return subset != null && subset !== '' && subset !== 'default'
}

function keyOf({ config }: TaskNames): string {
  return JSON.stringify([config.dataset_path, hasSubset(config) ? config.dataset_name : null])
}

function wordsOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export function testedSplit(config: TaskConfig): string | null {
  return config.test_split ?? config.validation_split ?? null
}

export function shownSplit(config: TaskConfig): string | null {
  return config.fewshot_split ?? config.training_split ?? config.validation_split ?? null
}

/** Words of file names that say which split they are; one file alone is the evaluated split only if it is not called after another. */
const splitWords: ReadonlySet<string> = new Set([
  'train',
  'training',
  'validation',
  'valid',
  'val',
  'dev',
  'test',
  'fewshot',
  'shots',
  'prompts',
])

/** The data files of the evaluated split and of the few-shot examples. */
function splitsOf({ config, file, name }: Member, data: readonly OrderedFile[]): TaskData {
  const asked = testedSplit(config)
  const fromSplit = shownSplit(config)
  const byName = (split: string | null) => (split === null ? [] : data.filter(one => isSplit({ config, file }, one.name, split)))
  const [only] = data
  const named = byName(asked)
  const isOther = only !== undefined && splitWordsIn(only.name).length > 0
  const tested = named.length > 0 ? named : data.length === 1 && only && !isOther ? [only] : []
  if (tested.length === 0)
    throw orderFault(
      file.name,
      file.lineOf('test_split') ?? file.lineOf('validation_split'),
      data.length === 0
        ? `Send the data of "${name}" beside the task${asked === null ? '' : `: the split "${asked}" of "${[config.dataset_path, config.dataset_name].filter(Boolean).join(', ') || 'its data set'}"`}. It is not fetched.${hasSubset(config) ? ` Its file or folder must have the name of the subset, "${config.dataset_name}".` : ''}`
        : `Name the file of the evaluated split "${asked ?? 'test'}" of "${name}" after it; sent: ${data
            .slice(0, 5)
            .map(one => `"${one.name}"`)
            .join(', ')}.`,
    )
  const folders = new Set(tested.map(one => posix.dirname(one.name)))
  if (tested.length > 1 && (folders.size > 1 || !tested.every(one => isShard(one.name))))
    throw orderFault(
      file.name,
      file.lineOf('test_split'),
      `Several files could be the split "${asked ?? 'test'}" of "${name}": ${tested
        .slice(0, 5)
        .map(one => `"${one.name}"`)
        .join(', ')}. Send one of them, or all parts of one ("test-00000-of-00002").`,
    )
  return {
    tested: tested.sort(byFileName),
    shown: byName(fromSplit)
      .filter(one => !tested.includes(one))
      .sort(byFileName),
  }
}

function splitWordsIn(name: string): string[] {
  return wordsOf(baseName(name))
    .split(' ')
    .filter(word => splitWords.has(word))
}

/** As Hugging Face names the parts of a split. */
function isShard(name: string): boolean {
  return /\d{5}-of-\d{5}/.test(baseName(name))
}

function byFileName(a: OrderedFile, b: OrderedFile): number {
  return a.name < b.name ? -1 : 1
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
  return ` ${wordsOf(baseName(name))} `.includes(` ${wordsOf(split.split('[')[0] ?? split)} `)
}
