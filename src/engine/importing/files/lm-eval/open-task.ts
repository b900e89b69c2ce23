import { unpackedName } from '../../../../lib/file-name.ts'
import { nameFew } from '../../../../lib/format/name-few.ts'
import type { Shot } from '../../../tasks/task.ts'
import { TemplateError } from '../../templates/template-error.ts'
import type { MediaIntake } from '../../media/media-intake.ts'
import type { FileContent } from '../import-source.ts'
import { type LeftPart, type OpenedOrder, type OrderedFile, sourceOf } from '../import-order.ts'
import { OrderFault, orderFault } from '../order-fault.ts'
import { type Row, RowError } from '../row.ts'
import { ColumnNotes } from './column-notes.ts'
import { shownFields, taskBenchmark } from './task-benchmark.ts'
import type { ReadTask } from './task-config.ts'
import { dataOf, shownSplit, type TaskData, testedSplit } from './task-data.ts'
import { subtaskKey, type TaskDocs, taskDocs } from './task-docs.ts'
import { kindOf, shownName, type TaskKind } from './task-kinds.ts'
import { type TaskMetrics, taskMetrics } from './task-metrics.ts'
import { isDataFile } from './task-folder.ts'
import { leftProblem, type LeftTask, type Member, readTaskSet, type TaskSet } from './task-set.ts'

const kinds = ['generate_until', 'multiple_choice', 'loglikelihood', 'loglikelihood_rolling']

/**
 * A task of lm-evaluation-harness, or a group of them: YAML files, and the data that they name, which are not fetched.
 * @throws OrderFault naming the line of what cannot be imported
 */
export function openLmEvalTask(
  own: { readonly title: string; readonly slug: string; readonly task?: string | undefined; readonly leaveOut?: boolean | undefined },
  files: readonly OrderedFile[],
  intake: MediaIntake,
): OpenedOrder {
  const settings = files.filter(({ name }) => !isDataFile(name))
  const data = files.filter(({ name }) => isDataFile(name))
  if (settings.length === 0)
    throw orderFault(
      files[0]?.name ?? '',
      null,
      'There is only data. Send the YAML file of the task (.yaml, or a template without an extension) beside it.',
    )
  const set = readTaskSet(settings, own.task)
  const readable = readKinds(set, intake)
  const { found, unused } = dataOf(readable.members, [...set.others, ...readable.left], data)
  const { kinds, members, left, dataBy } = withData(readable, found, set)
  const parts = members.map(member => partOf(member, dataBy.get(member), { ...set, members }, intake))
  const known = { ...set, members, left }
  return {
    sources: [...parts.flatMap(({ shown }) => shown), ...parts.flatMap(({ tested }) => tested)],
    shots: shotsOf(members, set),
    givenShots: parts.flatMap(({ given }) => given),
    warnings: [
      ...new Set([
        ...members.flatMap(({ warnings }) => warnings),
        ...kinds.flatMap(({ metrics }) => metrics.warnings),
        ...kinds.flatMap(kind => notes(set, kind, parts)),
        ...severalKinds(kinds),
        ...leftOver(unused, members),
      ]),
    ],
    noted: () => [...new Set(parts.flatMap(({ columns }) => columns.notes()))],
    leftParts: () => ({ parts: left.map(task => leftPart(task, own.leaveOut === true)), isAccepted: own.leaveOut === true }),
    definedByFiles: true,
    define: tallied => taskBenchmark(known, kinds, own, tallied),
  }
}

/** Tasks of several kinds may show different numbers of examples. */
function shotsOf(members: readonly Member[], { group }: TaskSet): OpenedOrder['shots'] {
  const counts = members.map(member => [shownName(member, members), member.config.num_fewshot ?? 0] as const)
  const count = Math.max(...counts.map(([, one]) => one))
  return { count, by: group ? subtaskKey : null, ...(group && { countOf: new Map(counts.filter(([, one]) => one !== count)) }) }
}

/** The tasks of a set by how they are asked and graded, and those of which no row could be. @throws OrderFault where none is left */
function readKinds(set: TaskSet, intake: MediaIntake) {
  const left: LeftTask[] = [...set.left]
  const found = new Map<string, Member[]>()
  const metrics = new Map<string, TaskMetrics>()
  for (const member of set.members) {
    const kind = kindOf(member)
    try {
      checkKind(member)
      docsOf(member, set, intake)
      if (!metrics.has(kind)) metrics.set(kind, taskMetrics(member.config, member.file))
      found.set(kind, [...(found.get(kind) ?? []), member])
    } catch (fault) {
      if (!(fault instanceof OrderFault) || !set.group) throw fault
      left.push({ name: member.name, file: member.file, config: member.config, fault })
    }
  }
  const kinds = [...found].flatMap(([kind, [first, ...rest]]): TaskKind[] => {
    const graded = metrics.get(kind)
    return first && graded ? [{ members: [first, ...rest], metrics: graded }] : []
  })
  const [first, ...rest] = set.members.filter(member => kinds.some(({ members }) => members.includes(member)))
  if (!first) throw new OrderFault(left.flatMap(({ fault }) => fault.problems))
  return { kinds, left, members: [first, ...rest] as const }
}

/** Of a group, the tasks without data are left out. @throws OrderFault where none has data, or the only one has not */
function withData({ kinds, members, left }: ReturnType<typeof readKinds>, found: readonly (TaskData | OrderFault)[], { group }: TaskSet) {
  const dataBy = new Map<Member, TaskData>()
  const lacking: LeftTask[] = []
  for (const [i, member] of members.entries()) {
    const own = found[i]
    if (own instanceof OrderFault) lacking.push({ name: member.name, file: member.file, config: member.config, fault: own })
    else if (own) dataBy.set(member, own)
  }
  const [first, ...rest] = members.filter(member => dataBy.has(member))
  if (!first || (lacking.length > 0 && !group)) throw new OrderFault(lacking.flatMap(({ fault }) => fault.problems))
  const complete = kinds.flatMap((kind): TaskKind[] => {
    const [one, ...others] = kind.members.filter(member => dataBy.has(member))
    return one ? [{ ...kind, members: [one, ...others] }] : []
  })
  return { kinds: complete, members: [first, ...rest] as const, left: [...left, ...lacking], dataBy }
}

function leftPart(task: LeftTask, isAccepted: boolean): LeftPart {
  const problem = leftProblem(task)
  return isAccepted ? problem : { ...problem, message: `${problem.message} Leave it out ("leave_out") to import the others.` }
}

function severalKinds(kinds: readonly TaskKind[]): string[] {
  if (kinds.length === 1) return []
  return [
    `The tasks are asked or graded in ${kinds.length} ways: each is a profile over its own tasks. Choose all profiles of a kind to run the whole group.`,
  ]
}

function leftOver(unused: readonly OrderedFile[], [{ config }, ...others]: TaskSet['members']): string[] {
  if (unused.length === 0) return []
  const splits = `it asks "${testedSplit(config) ?? 'test'}" and shows examples of "${shownSplit(config) ?? 'none'}"`
  return [
    `Data that ${others.length > 0 ? 'no task uses' : `the task does not use (${splits})`}: ${nameFew(
      unused.map(({ name }) => name),
      5,
    )}.`,
  ]
}

interface Part {
  readonly member: Member
  readonly shown: ReturnType<typeof sourceOf>[]
  readonly tested: ReturnType<typeof sourceOf>[]
  readonly given: readonly Shot[]
  readonly columns: ColumnNotes
}

function partOf(member: Member, data: TaskData | undefined, set: TaskSet, intake: MediaIntake): Part {
  if (!data) throw new Error(`The task "${member.name}" has no data.`)
  const docs = docsOf(member, set, intake)
  const count = member.config.num_fewshot ?? 0
  const given = givenShots(member, docs, (member.config.fewshot_config?.samples ?? []).slice(0, count))
  const { tested, shown } = data
  const columns = new ColumnNotes(member.config)
  return {
    member,
    given,
    columns,
    shown: count > 0 && given.length === 0 ? shown.map(file => sourceOf(file, shotContent(docs))) : [],
    tested: tested.map((file, i) => sourceOf(file, taskContent(docs, file, i, columns))),
  }
}

const format = { kind: 'any', upstream: { kind: 'jsonl' } } as const

function shotContent(docs: TaskDocs): FileContent {
  return { format, holds: 'shots', read: row => docs.shot(row) }
}

/** @param part from 0, of a split in several files */
function taskContent(docs: TaskDocs, file: OrderedFile, part: number, columns: ColumnNotes): FileContent {
  const isTable = /\.[ct]sv$/i.test(unpackedName(file.name))
  const read = (row: Row) => {
    columns.see(row, isTable)
    return docs.task(row, part)
  }
  return { format, holds: 'tasks', read }
}

function checkKind({ config, file }: ReadTask): void {
  const { output_type: kind } = config
  if (!kinds.includes(kind))
    throw orderFault(file.name, file.lineOf('output_type'), `"output_type" is "${kind.slice(0, 40)}"; ${kinds.join(', ')} can be imported.`)
}

/** Examples given in the task itself. */
function givenShots({ file }: ReadTask, docs: TaskDocs, given: readonly Row['value'][]): Shot[] {
  return given.map((value, i) => {
    try {
      return docs.shot({ line: i + 1, position: i + 1, value })
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      throw orderFault(file.name, file.lineOf('fewshot_config'), `Example ${i + 1} of "fewshot_config": ${error.message}`)
    }
  })
}

function docsOf(member: Member, set: TaskSet, intake: MediaIntake): TaskDocs {
  const { config, file, name, group } = member
  try {
    return taskDocs(
      config,
      set.group ? { name: shownName(member, set.members), task: name, group } : null,
      shownFields(set.members),
      intake,
    )
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const key = /^"(\w+)"/.exec(error.message)?.[1] ?? ''
    throw orderFault(file.name, file.lineOf(key), `${error.message}.`)
  }
}

function notes({ group }: TaskSet, { members }: TaskKind, all: readonly Part[]): string[] {
  const [{ config }] = members
  const parts = all.filter(({ member }) => members.includes(member))
  const count = config.num_fewshot ?? 0
  const stops = config.generation_kwargs?.until?.length ?? 0
  const without = parts.filter(({ given, shown }) => given.length === 0 && shown.length === 0).map(({ member }) => member)
  const [first] = without
  return [
    ...(count > 0 && first
      ? [
          `Its ${count} worked examples are missing${group ? ` for ${without.length} of ${parts.length} tasks` : ''}: send the split "${first.config.fewshot_split ?? first.config.training_split ?? 'train'}" beside the task. Without it only the zero-shot profile can be run.`,
        ]
      : []),
    ...(count > 0 && without.length < parts.length && (config.fewshot_config?.sampler ?? 'default') !== 'first_n'
      ? ['The harness draws few-shot examples at random for each task; here they are the first of their file.']
      : []),
    ...(stops > 4 ? [`Of its ${stops} texts that end an answer the first 4 are kept.`] : []),
    ...(config.repeats > 1
      ? [`The harness asks ${config.repeats} times and "take_first" grades the first answer only: a run of one epoch gives that figure.`]
      : []),
  ]
}
