import type { Shot } from '../../../tasks/task.ts'
import { TemplateError } from '../../templates/template-error.ts'
import type { MediaIntake } from '../../media/media-intake.ts'
import type { FileContent } from '../import-source.ts'
import { type OpenedOrder, type OrderedFile, sourceOf } from '../import-order.ts'
import { orderFault } from '../order-fault.ts'
import { type Row, RowError } from '../row.ts'
import { shownFields, taskBenchmark } from './task-benchmark.ts'
import type { ReadTask, TaskConfig } from './task-config.ts'
import { dataOf, type TaskData } from './task-data.ts'
import { subtaskKey, type TaskDocs, taskDocs } from './task-docs.ts'
import { taskMetrics } from './task-metrics.ts'
import { dataFile } from './task-folder.ts'
import { type Member, readTaskSet, type TaskSet } from './task-set.ts'

const kinds = ['generate_until', 'multiple_choice', 'loglikelihood', 'loglikelihood_rolling']

/**
 * A task of lm-evaluation-harness, or a group of them: YAML files, and the data that they name, which are not fetched.
 * @throws OrderFault naming the line of what cannot be imported
 */
export function openLmEvalTask(
  own: { readonly title: string; readonly slug: string; readonly task?: string | undefined },
  files: readonly OrderedFile[],
  intake: MediaIntake,
): OpenedOrder {
  const settings = files.filter(({ name }) => !dataFile.test(name))
  const data = files.filter(({ name }) => dataFile.test(name))
  if (settings.length === 0)
    throw orderFault(
      files[0]?.name ?? '',
      null,
      'There is only data. Send the YAML file of the task (.yaml, or a template without an extension) beside it.',
    )
  const set = readTaskSet(settings, own.task)
  for (const member of set.members) checkKind(member)
  const [first] = set.members
  const metrics = taskMetrics(first.config, first.file)
  requireAlike(set)
  const { found, unused } = dataOf(set.members, set.others, data)
  const parts = set.members.map((member, i) => partOf(member, found[i], set, intake))
  const count = first.config.num_fewshot ?? 0
  return {
    sources: [...parts.flatMap(({ shown }) => shown), ...parts.flatMap(({ tested }) => tested)],
    shots: { count, by: set.group ? subtaskKey : null },
    givenShots: parts.flatMap(({ given }) => given),
    warnings: [
      ...new Set([...set.members.flatMap(({ warnings }) => warnings), ...metrics.warnings, ...notes(set, parts), ...leftOver(unused)]),
    ],
    definedByFiles: true,
    define: tallied => taskBenchmark(set, metrics, own, tallied),
  }
}

function leftOver(unused: readonly OrderedFile[]): string[] {
  if (unused.length === 0) return []
  return [
    `Data of the folder that no task uses: ${unused
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', ')}${unused.length > 5 ? ` and ${unused.length - 5} more` : ''}.`,
  ]
}

interface Part {
  readonly member: Member
  readonly shown: ReturnType<typeof sourceOf>[]
  readonly tested: ReturnType<typeof sourceOf>[]
  readonly given: readonly Shot[]
}

function partOf(member: Member, data: TaskData | undefined, set: TaskSet, intake: MediaIntake): Part {
  if (!data) throw new Error(`The task "${member.name}" has no data.`)
  const docs = docsOf(member, set, intake)
  const count = member.config.num_fewshot ?? 0
  const given = givenShots(member, docs, (member.config.fewshot_config?.samples ?? []).slice(0, count))
  const { tested, shown } = data
  return {
    member,
    given,
    shown: count > 0 && given.length === 0 ? shown.map(file => sourceOf(file, content('shots', docs, 0))) : [],
    tested: tested.map((file, i) => sourceOf(file, content('tasks', docs, i))),
  }
}

/** @param part from 0, of a split in several files */
function content(holds: 'tasks' | 'shots', docs: TaskDocs, part: number): FileContent {
  const format = { kind: 'any', upstream: { kind: 'jsonl' } } as const
  return holds === 'tasks' ? { format, holds, read: row => docs.task(row, part) } : { format, holds, read: row => docs.shot(row) }
}

function checkKind({ config, file }: ReadTask): void {
  const { output_type: kind } = config
  if (!kinds.includes(kind))
    throw orderFault(file.name, file.lineOf('output_type'), `"output_type" is "${kind.slice(0, 40)}"; ${kinds.join(', ')} can be imported.`)
}

/** What the tasks of a group must share, since one profile asks and grades them all. */
const shared = [
  'output_type',
  'metric_list',
  'filter_list',
  'generation_kwargs',
  'num_fewshot',
  'repeats',
  'target_delimiter',
] as const satisfies readonly (keyof TaskConfig)[]

function requireAlike({ group, members }: TaskSet): void {
  if (!group) return
  const [first] = members
  for (const { config, file, name } of members) {
    const key = shared.find(one => JSON.stringify(config[one] ?? null) !== JSON.stringify(first.config[one] ?? null))
    if (key === undefined) continue
    const shown = (value: unknown) => JSON.stringify(value ?? null).slice(0, 80)
    throw orderFault(
      file.name,
      file.lineOf(key),
      `"${key}" of "${name}" is ${shown(config[key])}, and of "${first.name}" ${shown(first.config[key])}. A group is imported as one set whose tasks are asked and graded in one way; import the others as groups of their own.`,
    )
  }
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

function docsOf({ config, file, name, group }: Member, set: TaskSet, intake: MediaIntake): TaskDocs {
  try {
    return taskDocs(config, set.group ? { name: config.task_alias ?? name, task: name, group } : null, shownFields(set.members), intake)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const key = /^"(\w+)"/.exec(error.message)?.[1] ?? ''
    throw orderFault(file.name, file.lineOf(key), `${error.message}.`)
  }
}

function notes({ group, members: [{ config }] }: TaskSet, parts: readonly Part[]): string[] {
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
