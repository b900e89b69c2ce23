import { z } from 'zod'
import { nameFew } from '../../../../lib/format/name-few.ts'
import type { LeftPart, OrderedFile } from '../import-order.ts'
import { OrderFault, orderFault, reasonsOf } from '../order-fault.ts'
import { readYaml, type YamlFile } from '../read-yaml.ts'
import { isOfFolder } from './task-folder.ts'
import {
  baseName,
  includedFile,
  includesOf,
  keyOwners,
  parseTask,
  type ReadTask,
  refusePython,
  settingsOf,
  type TaskNames,
  taskNames,
  withIncludes,
} from './task-config.ts'

/** A task of a set with the groups that it is in, the outermost first. */
export interface Member extends ReadTask {
  readonly name: string
  /** Name of the innermost group below the outermost; null where there is none. */
  readonly group: string | null
}

export interface TaskSet {
  /** Null where the files are one task. */
  readonly group: { readonly name: string; readonly file: YamlFile; readonly weightBySize: boolean } | null
  readonly members: readonly [Member, ...Member[]]
  /** Other tasks of a folder, whose data is not that of the members. */
  readonly others: readonly TaskNames[]
  /** Tasks of the group that cannot be imported, and why. */
  readonly left: readonly LeftTask[]
}

/** A task that only a program can do, that is of a kind that is not known, or whose files or includes were not sent. */
export interface LeftTask extends TaskNames {
  readonly fault: OrderFault
}

/** Why a task is left out. */
export function leftProblem({ name, file, fault }: LeftTask): LeftPart {
  const [problem] = fault.problems
  return {
    file: problem?.file ?? file.name,
    line: problem?.line ?? 1,
    message: `The task "${name}" cannot be imported: ${problem?.message ?? ''}`,
  }
}

const Aggregate = z.looseObject({ metric: z.string(), aggregation: z.string().default('mean'), weight_by_size: z.boolean().default(true) })
const Group = z.looseObject({
  group: z.string(),
  group_alias: z.string().nullish(),
  task: z.union([z.string().transform(name => [name]), z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).min(1)]),
  aggregate_metric_list: z.union([Aggregate.transform(one => [one]), z.array(Aggregate)]).nullish(),
})
type Group = z.infer<typeof Group>

const mostTasks = 500

/** One file of settings on top of what it includes. */
interface Root {
  readonly file: YamlFile
  readonly merged: Record<string, unknown>
  readonly all: readonly YamlFile[]
  /** Why what it includes cannot be read; `merged` is then its own settings alone. */
  readonly fault?: OrderFault
}

/** What files can be imported as, where they hold several; or what grades them, where they do not say it. */
export interface TaskChoice {
  readonly name: string
  readonly kind: 'group' | 'tag' | 'task' | 'grader'
}

/**
 * The task of these files, or the tasks of the group among them.
 * @param wanted name of the group, tag or task to take where the files hold several
 * @throws OrderFault naming the line of what cannot be imported: every `!function`, and what only a program can do
 */
export function readTaskSet(files: readonly OrderedFile[], wanted?: string): TaskSet {
  const { set, roots } = setOf(files, wanted)
  const used = new Set(set.members.map(({ file }) => file))
  return {
    ...set,
    left: set.left ?? [],
    others: roots.filter(root => !isGroup(root) && !used.has(root.file)).map(root => taskNames(root.merged, root.file, nameOf(root))),
  }
}

function isGroup({ merged }: Root): boolean {
  return 'group' in merged || Array.isArray(merged['task'])
}

type OwnSet = Omit<TaskSet, 'others' | 'left'> & Partial<Pick<TaskSet, 'left'>>

function setOf(files: readonly OrderedFile[], wanted: string | undefined): { readonly set: OwnSet; readonly roots: readonly Root[] } {
  const parsed = files.map(file => readYaml(file, true))
  // Files of a folder that are not used may have it.
  const isFolder = files.some(isOfFolder)
  const included = new Set(parsed.flatMap(file => includesOf(file).map(path => includedFile(file, path, parsed))))
  const isRoot = (file: YamlFile): boolean => !included.has(file) || (isFolder && isNamed(file))
  const rootOf = (file: YamlFile): Root => {
    try {
      return { file, all: parsed, merged: withIncludes(file, parsed) }
    } catch (fault) {
      if (!isFolder || !(fault instanceof OrderFault)) throw fault
      return { file, all: parsed, merged: settingsOf(file), fault }
    }
  }
  const roots = parsed.filter(isRoot).map(rootOf)
  const [main, second] = roots
  if (!main) throw orderFault(files[0]?.name ?? '', null, 'There is no task: every file includes another.')
  const groups = roots.filter(isGroup)
  if (wanted !== undefined) return { set: chosenSet(roots, groups, wanted), roots }
  // A task may also be what others include.
  const shared = parsed.filter(file => !isRoot(file) && isNamed(file)).map(rootOf)
  if (groups.length > 0) return { set: groupOf({ roots, groups, shared, isFolder }), roots }
  if (!second) return { set: aloneSet(main), roots }
  if (!isFolder)
    throw orderFault(
      second.file.name,
      null,
      `"${main.file.name}" and "${second.file.name}" are two tasks. Import them one by one, or send the group that names them as well.`,
    )
  const [tag] = tagsOf(main).filter(one => roots.every(root => tagsOf(root).includes(one)))
  if (tag === undefined) throw chooseOne(roots, groups, 'The files are of several tasks that no group names.', main.file.name)
  return { set: taggedSet(roots, tag), roots }
}

/** Whether a file that others include is a task or a group itself. */
function isNamed({ value }: YamlFile): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'group' in value || ('task' in value && typeof value.task === 'string')
}

/** @throws OrderFault for Python in the file or in what it includes, and for what cannot be imported */
function parseRoot({ file, all, merged, fault }: Root): ReadTask {
  if (fault) throw fault
  const owners = keyOwners(file, all)
  for (const used of new Set(owners.values())) refusePython(used, key => (owners.get(key) ?? used) === used)
  return parseTask(merged, file)
}

function aloneSet(root: Root): OwnSet {
  return { group: null, members: [{ ...parseRoot(root), name: nameOf(root), group: null }] }
}

/** The tasks of a tag, which the harness runs together without an aggregate. */
function taggedSet(roots: readonly Root[], tag: string): OwnSet {
  const taken = new Taken()
  for (const root of roots) taken.add(root, null)
  const members = taken.members()
  return { group: { name: tag, file: members[0].file, weightBySize: true }, members, left: taken.left }
}

/** The tasks of a set that can be imported, and those that cannot. */
class Taken {
  readonly found: Member[] = []
  readonly left: LeftTask[] = []
  readonly #names = new Set<string>()

  /** @param group as `Member` has it */
  add(root: Root, group: string | null, name = nameOf(root)): void {
    this.#names.add(name)
    try {
      this.found.push({ ...parseRoot(root), name, group })
    } catch (fault) {
      if (!(fault instanceof OrderFault)) throw fault
      this.left.push({ ...taskNames(root.merged, root.file, name), fault })
    }
  }

  /** A task that the group names and that was not sent. */
  lack(name: string, file: YamlFile, fault: OrderFault): void {
    this.#names.add(name)
    this.left.push({ name, file, config: {}, fault })
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** @throws OrderFault with the reasons where no task is left */
  members(): readonly [Member, ...Member[]] {
    const [first, ...rest] = this.found
    if (first) return [first, ...rest]
    throw new OrderFault(this.left.flatMap(({ fault }) => fault.problems))
  }
}

/** Asks for one of what the files hold. Tasks that cannot be imported are named instead of offered. */
function chooseOne(roots: readonly Root[], groups: readonly Root[], why: string, file: string): OrderFault {
  const taken = new Taken()
  const tasks = roots.filter(root => !groups.includes(root))
  for (const root of tasks) taken.add(root, null)
  const offered = new Set(taken.found.map(member => member.file))
  const tags = new Set(tasks.filter(root => offered.has(root.file)).flatMap(tagsOf))
  const choices = [
    ...groups.map((root): TaskChoice => ({ name: parseGroup(root).group, kind: 'group' })),
    ...[...tags].map((name): TaskChoice => ({ name, kind: 'tag' })),
    ...taken.found.map(({ name }): TaskChoice => ({ name, kind: 'task' })),
  ]
  const named = choices.map(({ name, kind }) => `"${name}" (${kind})`)
  const problems = [
    { file, line: null, message: `${why} Choose one as "task": ${nameFew(named, 10)}.` },
    ...reasonsOf(
      taken.left.map(task => ({ name: task.name, problem: leftProblem(task) })),
      file,
    ),
  ]
  return choices.length > 0 ? new OrderFault(problems, choices) : new OrderFault(taken.left.flatMap(({ fault }) => fault.problems))
}

function chosenSet(roots: readonly Root[], groups: readonly Root[], wanted: string): OwnSet {
  const group = groups.find(root => parseGroup(root).group === wanted)
  if (group) return groupOf({ roots, groups, shared: [], isFolder: true, chosen: group })
  const tasks = roots.filter(root => !groups.includes(root))
  const tagged = tasks.filter(root => tagsOf(root).includes(wanted))
  if (tagged.length > 0) return taggedSet(tagged, wanted)
  const task = tasks.find(root => nameOf(root) === wanted)
  if (task) return aloneSet(task)
  throw chooseOne(roots, groups, `There is no group, tag or task "${wanted.slice(0, 100)}".`, roots[0]?.file.name ?? '')
}

function nameOf({ file, merged }: Root): string {
  return typeof merged['task'] === 'string' ? merged['task'] : baseName(file.name).replace(/\.ya?ml$/i, '')
}

interface Groups {
  readonly roots: readonly Root[]
  readonly groups: readonly Root[]
  /** Tasks that others include, which need not be named. */
  readonly shared: readonly Root[]
  /** Whether there may be tasks of other groups, which are left out. */
  readonly isFolder: boolean
  readonly chosen?: Root
}

function groupOf({ roots, groups, shared, isFolder, chosen }: Groups): OwnSet {
  const read = groups.map(root => ({ root, group: parseGroup(root) }))
  const named = new Set(read.flatMap(({ group }) => namesIn(group.task)))
  const [top, other] = read.filter(({ root, group }) => (chosen ? root === chosen : !named.has(group.group)))
  if (!top) throw orderFault(read[0]?.root.file.name ?? '', null, 'Every group is part of another one, so that none is the whole.')
  if (other && isFolder) throw chooseOne(roots, groups, 'The files are of several groups.', top.root.file.name)
  if (other)
    throw orderFault(
      other.root.file.name,
      other.root.file.lineOf('group'),
      `"${top.group.group}" and "${other.group.group}" are two groups; an import takes one.`,
    )
  const { file } = top.root
  const tasks = roots.filter(root => !groups.includes(root))
  const called = [...tasks, ...shared].flatMap(root => [...new Set([nameOf(root), ...tagsOf(root)])].map(name => ({ name, root })))
  const byName = Map.groupBy(called, ({ name }) => name)
  const used = new Set<Root>()
  const taken = new Taken()
  const add = (group: Group, within: readonly string[], below: string | null) => {
    if (within.includes(group.group)) throw orderFault(file.name, file.lineOf('task'), `The group "${group.group}" is part of itself.`)
    for (const entry of group.task) {
      const name = typeof entry === 'string' ? entry : typeof entry['task'] === 'string' ? entry['task'] : ''
      const inner = typeof entry === 'string' ? read.find(one => one.group.group === entry)?.group : inlineGroup(entry, file)
      if (inner) {
        add(inner, [...within, group.group], inner.group_alias ?? inner.group)
        continue
      }
      // As in the harness, a name that is listed twice is one task.
      if (typeof entry === 'string' && taken.has(name)) continue
      const found = (byName.get(name) ?? []).map(({ root }) => root)
      if (found.length === 0) {
        const fault = missing(file, name, tasks)
        if (!isFolder) throw fault
        taken.lack(name, file, fault)
      }
      for (const root of found) {
        const merged = typeof entry === 'string' ? root.merged : { ...root.merged, ...entry }
        used.add(root)
        taken.add({ ...root, merged }, below, nameOf(root))
        if (taken.found.length > mostTasks) throw orderFault(file.name, file.lineOf('task'), `A group may have at most ${mostTasks} tasks.`)
      }
    }
  }
  add(top.group, [], null)
  const { found, left } = taken
  const places = new Map(found.map(({ name }, i) => [name, i] as const).toReversed())
  const repeated = found.find(({ name }, i) => places.get(name) !== i)
  if (repeated) throw orderFault(file.name, file.lineOf('task'), `The group names the task "${repeated.name}" twice.`)
  const unused = tasks.find(root => !used.has(root))
  if (unused && !isFolder) throw orderFault(unused.file.name, null, `The group "${top.group.group}" does not name the task of this file.`)
  if (found.length + left.length === 0) throw orderFault(file.name, file.lineOf('task'), 'The group names no task.')
  const weightBySize = (top.group.aggregate_metric_list ?? []).every(one => one.weight_by_size)
  return { group: { name: top.group.group_alias ?? top.group.group, file, weightBySize }, members: taken.members(), left }
}

/** Names of tasks and groups in a list, also within groups that are written there. */
function namesIn(list: readonly unknown[]): string[] {
  return list.flatMap(entry => {
    if (typeof entry === 'string') return [entry]
    const { task: inner } = typeof entry === 'object' && entry !== null && 'task' in entry ? entry : { task: null }
    return Array.isArray(inner) ? namesIn(inner) : typeof inner === 'string' ? [inner] : []
  })
}

function missing(file: YamlFile, name: string, tasks: readonly Root[]): OrderFault {
  const sent = tasks.map(nameOf).slice(0, 10).join(', ')
  return orderFault(
    file.name,
    file.lineOf('task'),
    `The group names "${name.slice(0, 100)}", which was not sent; send its YAML file beside the group. ${sent === '' ? 'No task was sent.' : `Sent: ${sent}.`}`,
  )
}

function parseGroup({ file, merged }: Root): Group {
  const group = Group.safeParse({ group: baseName(file.name).replace(/\.ya?ml$/i, ''), ...merged })
  if (!group.success)
    throw orderFault(
      file.name,
      file.lineOf(String(group.error.issues[0]?.path[0] ?? 'task')),
      'A group needs "group", its name, and "task", a list of tasks.',
    )
  const strange = group.data.aggregate_metric_list?.find(({ aggregation }) => aggregation !== 'mean')
  if (strange)
    throw orderFault(
      file.name,
      file.lineOf('aggregate_metric_list'),
      `The aggregation "${strange.aggregation.slice(0, 60)}" of "${strange.metric}" cannot be imported; a group reports a mean.`,
    )
  return group.data
}

/** A group written within the list of another. */
function inlineGroup(entry: Record<string, unknown>, file: YamlFile): Group | undefined {
  if (entry['group'] === undefined) return undefined
  const group = Group.safeParse(entry)
  if (group.success) return group.data
  throw orderFault(file.name, file.lineOf('task'), 'A group within "task" needs "group", its name, and "task", a list of tasks.')
}

function tagsOf({ merged: { tag } }: Root): string[] {
  return typeof tag === 'string' ? [tag] : Array.isArray(tag) ? tag.filter(one => typeof one === 'string') : []
}
