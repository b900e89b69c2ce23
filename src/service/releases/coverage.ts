import type { Issue, ReleaseCoverage } from '../../contract/releases/issues.schemas.ts'
import type { ReleaseSuite } from '../../contract/releases/suites.schemas.ts'
import { plannedDetectableDifference } from '../../lib/detectable-difference.ts'
import type { SuiteCapabilities } from '../../workers/evidence-pool.ts'

const severities: readonly Issue['severity'][] = ['critical', 'high', 'medium', 'low']
/** States of issues that count as open. */
export const unresolved: readonly Issue['status'][] = ['open', 'reproduced', 'regressed']

/** What a suite's version covers of capabilities and of the issues that are not closed. */
export function describeCoverage(
  suite: ReleaseSuite,
  { capabilities, untagged }: SuiteCapabilities,
  issues: readonly Issue[],
): ReleaseCoverage {
  const sources = new Map<string, Set<string>>()
  for (const { task_selections } of suite.groups)
    for (const { source_ref, task_ids } of task_selections) {
      const known = sources.get(source_ref) ?? new Set()
      sources.set(source_ref, known)
      for (const id of task_ids) known.add(id)
    }
  const described = issues
    .map(({ id, title, severity, status, tasks, last_result }) => {
      const inSuite = tasks.filter(task => sources.get(task.source_ref)?.has(task.task_id)).length
      return { id, title, severity, status, linked: tasks.length, in_suite: inSuite, last_result }
    })
    .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  return {
    suite_version_id: suite.id,
    capabilities: capabilities.map(({ capability, tasks }) => ({
      capability,
      tasks,
      minimum_detectable_difference: plannedDetectableDifference(tasks, 1),
    })),
    issues: described,
    uncovered_critical: described
      .filter(({ severity, status, in_suite }) => severity === 'critical' && unresolved.includes(status) && in_suite === 0)
      .map(({ id }) => id),
    untagged_tasks: untagged,
  }
}
