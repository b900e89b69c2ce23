import { ApiError, type ErrorDetail } from '../../contract/errors.ts'
import { mostSelectedTasks, type ResolvedSelection, type TaskSelection } from '../../contract/suites/suites.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { findSource, findTasks, type Source, type SourceTask } from './sources.store.ts'

/** Exact tasks of one source, found and complete. */
export interface SelectedTasks {
  readonly selection: ResolvedSelection
  readonly source: Source
  /** In the order selected. */
  readonly tasks: readonly SourceTask[]
}

/** Culprits named at most; a file of wrong ids would fill pages. */
const mostNamed = 500

/** Collects what is wrong with a list of selections, each at its place. */
interface Problems {
  readonly unavailable: ErrorDetail[]
  readonly invalid: ErrorDetail[]
}

/**
 * Finds every source and task of a selection, aliases resolved. Nothing is sampled or left out: a source, task or dependency that is
 * not there, a task named twice and a selection that asks for coverage too are refused together, each by name.
 * @throws ApiError task_unavailable or validation_error
 */
export function resolveSelections(db: Database, workspaceId: string, selections: readonly TaskSelection[]): SelectedTasks[] {
  const problems: Problems = { unavailable: [], invalid: [] }
  const total = selections.reduce((sum, { task_ids }) => sum + task_ids.length, 0)
  if (total > mostSelectedTasks) {
    problems.invalid.push({ loc: at(), msg: `${total} tasks are selected and at most ${mostSelectedTasks} can be`, type: 'too_many_tasks' })
  }
  const sources = selections.map((selection, i) => {
    if (selection.coverage) {
      problems.invalid.push({
        loc: at(i, 'coverage'),
        msg: `names exact tasks of ${selection.source_ref} and cannot ask for ${selection.coverage.mode} coverage as well`,
        type: 'mixed_selection',
      })
    }
    const source = findSource(db, workspaceId, selection.source_ref)
    if (source && !isWithdrawn(source)) return source
    const msg = source
      ? `the source "${source.sourceRef}" is ${source.status}`
      : `there is no source "${selection.source_ref}" in this workspace`
    problems.unavailable.push({ loc: at(i, 'source_ref'), msg, type: source ? 'source_unavailable' : 'unknown_source' })
    return null
  })
  const selectedOf = Map.groupBy(selections.keys(), i => sources[i]?.no)
  const resolved = selections.flatMap((selection, i): SelectedTasks[] => {
    const source = sources[i]
    if (!source) return []
    const selected = new Set(selectedOf.get(source.no)?.flatMap(j => selections[j]?.task_ids ?? []))
    return [{ source, selection: resolve(selection, source), tasks: selectTasks(db, source, selection, selected, i, problems) }]
  })
  findRepeatedSources(selections, resolved, problems)
  refuse(problems)
  return resolved
}

function resolve({ split, task_ids }: TaskSelection, { sourceRef, digest }: Source): ResolvedSelection {
  return { source_ref: sourceRef, split, version_digest: digest, task_ids: [...task_ids] }
}

function isWithdrawn({ status }: Source): boolean {
  return status === 'quarantined' || status === 'retired'
}

/** @param selected every task of the source that is selected, in this selection or another */
function selectTasks(
  db: Database,
  source: Source,
  { split, task_ids }: TaskSelection,
  selected: ReadonlySet<string>,
  i: number,
  { unavailable, invalid }: Problems,
): SourceTask[] {
  const found = findTasks(db, source.no, task_ids)
  const seen = new Set<string>()
  return task_ids.flatMap((id, j) => {
    const task = found.get(id)
    const loc = at(i, 'task_ids', j)
    const named = `the task "${id}" of ${source.sourceRef}`
    if (seen.has(id)) invalid.push({ loc, msg: `${named} is selected twice`, type: 'duplicate_task' })
    seen.add(id)
    if (!task) {
      unavailable.push({ loc, msg: `there is no task "${id}" in ${source.sourceRef}`, type: 'unknown_task' })
      return []
    }
    if (task.split !== split) unavailable.push({ loc, msg: `${named} is in the split ${task.split}, not in ${split}`, type: 'wrong_split' })
    for (const needed of task.dependsOn) {
      if (!selected.has(needed))
        unavailable.push({ loc, msg: `${named} depends on "${needed}", which is not selected`, type: 'missing_dependency' })
    }
    return [task]
  })
}

/** Each source and split occurs in one selection, so that its tasks have one order. */
function findRepeatedSources(selections: readonly TaskSelection[], resolved: readonly SelectedTasks[], { invalid }: Problems): void {
  if (resolved.length < selections.length) return
  const seen = new Set<string>()
  for (const [i, { selection }] of resolved.entries()) {
    const key = `${selection.split} ${selection.source_ref}`
    if (seen.has(key)) {
      invalid.push({
        loc: at(i, 'source_ref'),
        msg: `${selection.source_ref} (${selection.split}) is selected twice; put its tasks into one selection`,
        type: 'duplicate_selection',
      })
    }
    seen.add(key)
  }
}

function refuse({ unavailable, invalid }: Problems): void {
  const all = [...unavailable, ...invalid]
  if (all.length === 0) return
  const named = all.slice(0, 10).map(problem => problem.msg)
  const more = all.length > named.length ? `; and ${all.length - named.length} more, see detail` : ''
  throw new ApiError(
    unavailable.length > 0 ? 'task_unavailable' : 'validation_error',
    `The selection cannot be used: ${named.join('; ')}${more}.`,
    {
      detail: all.slice(0, mostNamed),
    },
  )
}

function at(...path: (string | number)[]): (string | number)[] {
  return ['body', 'task_selections', ...path]
}
