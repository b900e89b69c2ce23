import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { Task } from '../../tasks/task.ts'
import type { ForeignLog, MetricPair } from './foreign-log.ts'
import type { MatchedAnswer } from './given-answer.ts'

/** The samples of one task of lm-evaluation-harness by one model. */
export interface TaskSamples {
  readonly task: string
  /** As the harness shows it. */
  readonly title: string
  readonly model: string
  /** Of the run; null where they were not sent. */
  readonly results: {
    readonly lm_eval_version?: string | null | undefined
    readonly 'n-samples'?: Readonly<Record<string, { readonly effective: number }>> | null | undefined
    readonly group_subtasks?: Readonly<Record<string, readonly string[]>> | null | undefined
  } | null
  readonly isChoice: boolean
  /** How each document was asked for an answer; none of those with choices. */
  readonly settings: readonly unknown[]
  readonly mostChoices: number
  /** Parts of its messages that only their provider can read. */
  readonly left: number
  readonly tasks: readonly Task[]
  readonly answers: readonly Omit<MatchedAnswer, 'model'>[]
  readonly metrics: readonly Metric[]
  readonly pairs: readonly MetricPair[]
}

/** Tasks that become one benchmark. */
export interface SampleSet {
  readonly title: string
  /** Null for a task that is alone. */
  readonly group: string | null
  readonly members: readonly [TaskSamples, ...TaskSamples[]]
}

/** Tasks of a run that are in one group and graded alike are a set; the others stay alone. In the order of their first tasks. */
export function groupSamples(tasks: readonly TaskSamples[]): SampleSet[] {
  const sets: { group: string | null; results: TaskSamples['results']; members: [TaskSamples, ...TaskSamples[]] }[] = []
  for (const one of tasks) {
    const group = pathOf(one)[0] ?? null
    const known = sets.find(set => group !== null && set.group === group && set.results === one.results)
    if (known) known.members.push(one)
    else sets.push({ group, results: one.results, members: [one] })
  }
  return sets.flatMap(({ group, members }): SampleSet[] => {
    const [first] = members
    const isSet = members.length > 1 && members.every(one => gradingOf(one) === gradingOf(first))
    if (group !== null && isSet) return [{ title: group, group, members }]
    return members.map(one => ({ title: one.title, group: null, members: [one] }))
  })
}

/** The group directly above a task, where it is within another one. */
export function subgroupOf(one: TaskSamples): string | null {
  return pathOf(one).slice(1).at(-1) ?? null
}

/** The groups that a task is in, the outermost first. */
function pathOf({ task, results }: TaskSamples): readonly string[] {
  const groups = Object.entries(results?.group_subtasks ?? {})
  const path: string[] = []
  for (let name = task; ; ) {
    const above = groups.find(([group, of]) => of.includes(name) && !path.includes(group))?.[0]
    if (above === undefined) return path
    path.unshift(above)
    name = above
  }
}

function gradingOf({ isChoice, metrics, pairs }: TaskSamples): string {
  return JSON.stringify([isChoice, metrics, pairs])
}

/** Documents of every task, by the results file. */
export function countedOf(members: readonly TaskSamples[]): ForeignLog['counted'] {
  const stated = members.map(({ task, results }) => results?.['n-samples']?.[task]?.effective ?? null)
  if (stated.includes(null)) return null
  return {
    stated: stated.reduce((sum: number, count) => sum + (count ?? 0), 0),
    read: members.reduce((sum, { tasks }) => sum + tasks.length, 0),
    missing: members.flatMap(({ task, tasks }, i) =>
      tasks.length === stated[i] ? [] : [`${task} (${tasks.length} of ${stated[i] ?? 0})`],
    ),
  }
}
