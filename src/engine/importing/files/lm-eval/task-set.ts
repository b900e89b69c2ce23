import { z } from 'zod'
import type { OrderedFile } from '../import-order.ts'
import { orderFault } from '../order-fault.ts'
import { readYaml, type YamlFile } from '../read-yaml.ts'
import { baseName, includesOf, parseTask, type ReadTask, refusePython, withIncludes } from './task-config.ts'

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
}

/**
 * The task of these files, or the tasks of the group among them.
 * @throws OrderFault naming the line of what cannot be imported: every `!function`, and what only a program can do
 */
export function readTaskSet(files: readonly OrderedFile[]): TaskSet {
  const parsed = files.map(file => readYaml(file, true))
  for (const file of parsed) refusePython(file)
  const included = new Set(parsed.flatMap(file => includesOf(file).map(baseName)))
  const all = parsed.map(file => ({ file, merged: withIncludes(file, parsed) }))
  const roots = all.filter(({ file }) => !included.has(file.name))
  const [main, second] = roots
  if (!main) throw orderFault(files[0]?.name ?? '', null, 'There is no task: every file includes another.')
  const groups = roots.filter(({ merged }) => 'group' in merged || Array.isArray(merged['task']))
  // A task may also be what others include.
  const shared = all.filter(({ file, merged }) => included.has(file.name) && typeof merged['task'] === 'string')
  if (groups.length > 0) return groupOf(roots, groups, shared)
  if (second)
    throw orderFault(
      second.file.name,
      null,
      `"${main.file.name}" and "${second.file.name}" are two tasks. Import them one by one, or send the group that names them as well.`,
    )
  return { group: null, members: [{ ...parseTask(main.merged, main.file), name: nameOf(main), group: null }] }
}

function nameOf({ file, merged }: Root): string {
  return typeof merged['task'] === 'string' ? merged['task'] : file.name.replace(/\.ya?ml$/i, '')
}

function groupOf(roots: readonly Root[], groups: readonly Root[], shared: readonly Root[]): TaskSet {
  const read = groups.map(root => ({ root, group: parseGroup(root) }))
  const named = new Set(read.flatMap(({ group }) => namesIn(group.task)))
  const [top, other] = read.filter(({ group }) => !named.has(group.group))
  if (!top) throw orderFault(read[0]?.root.file.name ?? '', null, 'Every group is part of another one, so that none is the whole.')
  if (other)
    throw orderFault(
      other.root.file.name,
      other.root.file.lineOf('group'),
      `"${top.group.group}" and "${other.group.group}" are two groups; an import takes one.`,
    )
  const { file } = top.root
  const tasks = roots.filter(root => !groups.includes(root))
  const used = new Set<Root>()
  const members: Member[] = []
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
      if (typeof entry === 'string' && members.some(member => member.name === name)) continue
      const found = [...tasks, ...shared].filter(root => nameOf(root) === name || tagsOf(root).includes(name))
      if (found.length === 0) throw missing(file, name, tasks)
      for (const root of found) {
        const merged = typeof entry === 'string' ? root.merged : { ...root.merged, ...entry }
        used.add(root)
        members.push({ ...parseTask(merged, root.file), name: nameOf(root), group: below })
        if (members.length > mostTasks) throw orderFault(file.name, file.lineOf('task'), `A group may have at most ${mostTasks} tasks.`)
      }
    }
  }
  add(top.group, [], null)
  const repeated = members.find(({ name }, i) => members.findIndex(one => one.name === name) !== i)
  if (repeated) throw orderFault(file.name, file.lineOf('task'), `The group names the task "${repeated.name}" twice.`)
  const unused = tasks.find(root => !used.has(root))
  if (unused) throw orderFault(unused.file.name, null, `The group "${top.group.group}" does not name the task of this file.`)
  const [first, ...rest] = members
  if (!first) throw orderFault(file.name, file.lineOf('task'), 'The group names no task.')
  const weightBySize = (top.group.aggregate_metric_list ?? []).every(one => one.weight_by_size)
  return { group: { name: top.group.group_alias ?? top.group.group, file, weightBySize }, members: [first, ...rest] }
}

/** Names of tasks and groups in a list, also within groups that are written there. */
function namesIn(list: readonly unknown[]): string[] {
  return list.flatMap(entry => {
    if (typeof entry === 'string') return [entry]
    const { task: inner } = typeof entry === 'object' && entry !== null && 'task' in entry ? entry : { task: null }
    return Array.isArray(inner) ? namesIn(inner) : typeof inner === 'string' ? [inner] : []
  })
}

function missing(file: YamlFile, name: string, tasks: readonly Root[]): Error {
  const sent = tasks.map(nameOf).slice(0, 10).join(', ')
  return orderFault(
    file.name,
    file.lineOf('task'),
    `The group names "${name.slice(0, 100)}", which was not sent; send its YAML file beside the group. ${sent === '' ? 'No task was sent.' : `Sent: ${sent}.`}`,
  )
}

function parseGroup({ file, merged }: Root): Group {
  const group = Group.safeParse({ group: file.name.replace(/\.ya?ml$/i, ''), ...merged })
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
