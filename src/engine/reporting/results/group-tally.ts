import { createMetricTally, type MetricTally } from './metric-tally.ts'

interface Group {
  isRight: boolean
  without: number
}

/**
 * A figure of groups of tasks, such as the rotations of one question: the share whose every answer is right. A group with an answer that has
 * no verdict, and none that is wrong, is left out.
 */
export function createGroupTally(): MetricTally {
  const groups = new Map<string, Group>()
  let without = 0
  const groupOf = (taskId: string, cluster: string | undefined) => {
    const key = cluster === undefined ? `#${taskId}` : `=${cluster}`
    const group = groups.get(key) ?? { isRight: true, without: 0 }
    groups.set(key, group)
    return group
  }
  const miss = (taskId: string, cluster?: string) => {
    groupOf(taskId, cluster).without++
    without++
  }
  const tally = () => {
    const inner = createMetricTally(true)
    for (const [key, { isRight, without: some }] of groups) inner.add(key, isRight && some > 0 ? null : Number(isRight))
    return inner
  }
  return {
    add: (taskId, value, cluster) => {
      if (value === null) miss(taskId, cluster)
      else if (value !== 1) groupOf(taskId, cluster).isRight = false
      else groupOf(taskId, cluster)
    },
    miss,
    estimate: () => tally().estimate(),
    posterior: () => tally().posterior(),
    repeated: () => [],
    get unscored() {
      return without
    },
    bounds: () => tally().bounds(),
    signature: () => null,
  }
}
