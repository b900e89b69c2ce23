import type { TaskTags } from './task-tags.ts'

/**
 * The cluster of each task by a facet; null where no two tasks share one, so that there is nothing to cluster. A task without the
 * facet is a separate cluster.
 */
export function clusterTasks(tags: readonly Pick<TaskTags, 'facets'>[], facet: string | null): string[] | null {
  if (facet === null || !tags.some(({ facets }) => Object.hasOwn(facets, facet))) return null
  const clusters = tags.map(({ facets }, i) => (Object.hasOwn(facets, facet) ? `=${facets[facet]}` : `#${i}`))
  return new Set(clusters).size === clusters.length ? null : clusters
}
