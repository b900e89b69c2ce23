import type { FrozenCoverage, FrozenProfile } from '../quotes/quotes.schemas.ts'

type Tasks = Pick<FrozenProfile, 'version_digest' | 'tasks_selected' | 'tasks_available'>

/** Names the tasks that a run took of a profile: equal for the same tasks of the same version. A seed draws the same tasks each time. */
export function tasksKey(
  { version_digest: version, tasks_selected: selected, tasks_available: available }: Tasks,
  coverage: FrozenCoverage,
) {
  const { mode, seed, task_digest: digest } = coverage
  const whole = mode !== 'exact' && selected === available
  const tasks = whole ? 'all' : mode === 'sample' ? `${selected} by seed ${seed}` : `list ${digest}`
  return `${version.slice(0, 12)} ${tasks}`
}
