import type { FoundTask } from './recommendation-source.ts'

/** A task that could be recommended. */
export interface Candidate extends FoundTask {
  /** Place of its source in the list of sources. */
  readonly source: number
  /** In (0, 1], 1 for the best of all. */
  readonly relevance: number
  /** In [-1, 1]; null where past results say nothing. */
  readonly separation: number | null
  /** Micro-USD for one pass of every model, by past token counts; null where there is no history. */
  readonly cost: number | null
}

export interface Chosen {
  readonly task: Candidate
  /** The task that needs it; null when it was chosen for itself. */
  readonly requiredBy: string | null
}

export interface Skipped {
  readonly task: Candidate
  readonly code: 'dependencies_do_not_fit' | 'dependency_missing'
  readonly reason: string
}

export interface TaskSelectionResult {
  readonly chosen: readonly Chosen[]
  readonly skipped: readonly Skipped[]
  /** Whether tasks were left out because the budget would have been passed. */
  readonly budgetReached: boolean
}

export interface SelectionLimits {
  readonly tasks: number
  /** Micro-USD; null: none. */
  readonly budget: number | null
}

/** Skipped tasks that are named; a benchmark of chained tasks would fill pages. */
const mostSkipped = 20

/**
 * Picks tasks one after another: always the one of the highest worth, divided by one more than the number of chosen tasks that share
 * a capability with it. That spreads the choice over capabilities in proportion to their worth (as D'Hondt's method spreads seats).
 * What a task depends on is chosen with it and counts. The same candidates give the same choice.
 * @param requirementsOf every task that one needs, directly or not, or more than the limit of them; null when one of them is not there
 */
export function selectTasks(
  candidates: readonly Candidate[],
  limits: SelectionLimits,
  requirementsOf: (task: Candidate) => readonly Candidate[] | null,
): TaskSelectionResult {
  const queues = queuesOf(candidates)
  const chosen = new Map<number, Chosen>()
  const skipped: Skipped[] = []
  const crowd = new Map<string, number>()
  let spent = 0
  let budgetReached = false
  const skip = (task: Candidate, code: Skipped['code'], reason: string) => {
    if (skipped.length < mostSkipped) skipped.push({ task, code, reason })
  }
  while (chosen.size < limits.tasks) {
    const task = takeBest(queues, crowd)
    if (!task) break
    if (chosen.has(task.no)) continue
    const required = requirementsOf(task)
    if (!required) {
      skip(task, 'dependency_missing', `It depends on ${task.dependsOn.join(', ')}, and not all of these are there.`)
      continue
    }
    const added = [task, ...required].filter(one => !chosen.has(one.no))
    if (chosen.size + added.length > limits.tasks) {
      skip(
        task,
        'dependencies_do_not_fit',
        `It needs ${required.length > limits.tasks ? 'at least ' : ''}${added.length - 1} more ${added.length === 2 ? 'task' : 'tasks'} and ${limits.tasks - chosen.size} can still be taken.`,
      )
      continue
    }
    const cost = added.reduce((sum, one) => sum + (one.cost ?? 0), 0)
    if (limits.budget !== null && spent + cost > limits.budget) {
      budgetReached = true
      continue
    }
    spent += cost
    for (const one of added) {
      chosen.set(one.no, { task: one, requiredBy: one === task ? null : task.taskId })
      for (const tag of tagsOf(one)) crowd.set(tag, (crowd.get(tag) ?? 0) + 1)
    }
  }
  return { chosen: [...chosen.values()], skipped, budgetReached }
}

/** Tasks of one source and the same capabilities compete only by worth: best first, each queue from its end. */
interface Queue {
  readonly tags: readonly string[]
  readonly tasks: Candidate[]
}

function queuesOf(candidates: readonly Candidate[]): Queue[] {
  const groups = Map.groupBy(candidates, task => `${task.source} ${tagsOf(task).join('\n')}`)
  // In an order of their own, so that equal worth is decided alike however the candidates came.
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, tasks]) => ({
    tags: tasks[0] ? tagsOf(tasks[0]) : [],
    tasks: tasks.toSorted((a, b) => worth(a) - worth(b) || b.source - a.source || b.position - a.position),
  }))
}

function takeBest(queues: readonly Queue[], crowd: ReadonlyMap<string, number>): Candidate | undefined {
  let best: Queue | undefined
  let bestWorth = 0
  for (const queue of queues) {
    const head = queue.tasks.at(-1)
    if (!head) continue
    const shared = queue.tags.reduce((sum, tag) => sum + (crowd.get(tag) ?? 0), 0) / queue.tags.length
    const value = worth(head) / (1 + shared)
    if (best && value <= bestWorth) continue
    best = queue
    bestWorth = value
  }
  return best?.tasks.pop()
}

/** A task without capabilities is like the others of its source. */
function tagsOf({ capabilities, source }: Candidate): readonly string[] {
  return capabilities.length ? capabilities.toSorted() : [`source ${source}`]
}

/** How much of a task's fit its separation can outweigh: it decides among tasks that fit about as well. */
const separationWeight = 0.1
/** Of a task without past results: between one that all answer alike and one that separates models well. */
const unknownSeparation = 0.1

/** Fit to the objective first. */
function worth({ relevance, separation }: Candidate): number {
  return relevance * (1 + separationWeight * Math.max(0, separation ?? unknownSeparation))
}
