import { slugOf } from '../../../content/benchmarks/own-benchmark.ts'
import type { ProfileDefinition } from '../../../tasks/definition.ts'
import { groupOf } from '../../../tasks/task.ts'
import type { Tallied } from '../import-tally.ts'
import type { TaskConfig } from './task-config.ts'
import { subtaskKey } from './task-docs.ts'
import type { TaskMetrics } from './task-metrics.ts'
import type { Member } from './task-set.ts'

/** Tasks of a set that are asked and graded in one way, so that one profile can ask them all. */
export interface TaskKind {
  readonly members: readonly [Member, ...Member[]]
  readonly metrics: TaskMetrics
}

/** What a profile asks and grades by. */
const settings = [
  'output_type',
  'metric_list',
  'filter_list',
  'generation_kwargs',
  'num_fewshot',
  'repeats',
  'target_delimiter',
] as const satisfies readonly (keyof TaskConfig)[]

/** Tells tasks of one kind from those of another. */
export function kindOf({ config }: Member): string {
  return JSON.stringify(settings.map(key => config[key] ?? null))
}

/** As a task is shown; its alias only where no other task has the same. */
export function shownName(member: Member, members: readonly Member[]): string {
  const alias = member.config.task_alias
  const isShared = members.some(other => other !== member && [other.config.task_alias, other.name].includes(alias))
  return alias === undefined || isShared ? member.name : alias
}

/** The profiles of a kind among several: over its own tasks, and named after them. */
export function ofKind(
  profiles: readonly ProfileDefinition[],
  { members }: TaskKind,
  all: readonly Member[],
  takenKeys: Set<string>,
): ProfileDefinition[] {
  const names = members.map(member => shownName(member, all))
  const [first = '', second, ...others] = names
  const more = others.length > 0 ? ` and ${others.length + 1} more` : second === undefined ? '' : ` and ${second}`
  return profiles.map(profile => {
    const wanted = `${profile.key}-${slugOf(first).slice(0, 60)}`
    const key = takenKeys.has(wanted) ? `${wanted}-${takenKeys.size + 1}` : wanted
    takenKeys.add(key)
    return {
      ...profile,
      key,
      title: `${profile.title}: ${first.slice(0, 60)}${more}`,
      summary: `${profile.summary} For ${names.length === 1 ? 'one task' : `${names.length} tasks`} of the group.`,
      only: { by: subtaskKey, values: names },
    }
  })
}

/** What the rows of some tasks were, of what all of them were. */
export function talliedOf(found: Tallied, names: ReadonlySet<string>): Tallied {
  const groups = [...found.groups].filter(([name]) => names.has(name)).map(([, group]) => group)
  const tasks = groups.reduce((sum, group) => sum + group.tasks, 0)
  const isClosed = tasks > 0 && groups.every(({ chanceLevel }) => chanceLevel !== null)
  return {
    ...found,
    chanceLevel: isClosed ? groups.reduce((sum, group) => sum + (group.chanceLevel ?? 0) * group.tasks, 0) / tasks : null,
    mostChoices: groups.reduce((most, group) => Math.max(most, group.mostChoices), 0),
    preview: found.preview.filter((_, i) => {
      const task = found.previewTasks[i]
      return task !== undefined && names.has(groupOf(task, subtaskKey))
    }),
  }
}
