import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import type { NewReleaseSuite, ReleaseSuite } from '../../contract/releases/suites.schemas.ts'
import type { ResolvedSelection } from '../../contract/suites/suites.schemas.ts'
import type { Catalog } from '../catalog/index.ts'
import { bodyDigest } from '../http/idempotency.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { requireLatest } from './latest-version.store.ts'
import type { Runs } from '../runs/index.ts'
import { resolveSelections, type Suites } from '../suites/index.ts'
import { findReleaseSuite, findSameSuite, insertReleaseSuite } from './suites.store.ts'

export type ReleaseSuites = ReturnType<typeof createReleaseSuites>

export function createReleaseSuites(
  kernel: Kernel,
  {
    suites,
    catalog,
    runs,
  }: {
    readonly suites: Pick<Suites, 'read'>
    readonly catalog: Pick<Catalog, 'profile'>
    readonly runs: { readonly gated: Pick<Runs['gated'], 'frozenSelection'> }
  },
) {
  const { db, clock, ids } = kernel

  const read = (workspaceId: string, id: string): ReleaseSuite =>
    requireFound(findReleaseSuite(db, workspaceId, id), 'release suite version', id)
  const frozenOf = (workspaceId: string, runId: string, i: number) => {
    const frozen = runs.gated.frozenSelection(workspaceId, runId)
    if (frozen) return frozen
    throw invalidField(['body', 'groups', i, 'selection', 'run_id'], 'must be a finished run of one profile, with results')
  }
  const groupOf = (
    workspaceId: string,
    { selection, ...group }: NewReleaseSuite['groups'][number],
    i: number,
  ): ReleaseSuite['groups'][number] => {
    if (group.profile_id !== null && catalog.profile(workspaceId, group.profile_id) === null)
      throw invalidField(['body', 'groups', i, 'profile_id'], `there is no profile "${group.profile_id}" in this workspace`)
    const given = 'suite_version_id' in selection
    const frozen = 'run_id' in selection ? frozenOf(workspaceId, selection.run_id, i) : null
    const asked =
      frozen !== null
        ? [frozen.selection]
        : given
          ? suites.read(workspaceId, selection.suite_version_id).task_selections
          : 'task_selections' in selection
            ? selection.task_selections
            : []
    const selections = inGroup(i, () => resolveSelections(db, workspaceId, asked)).map(selected => selected.selection)
    return {
      ...group,
      profile_id: group.profile_id ?? frozen?.profileId ?? null,
      suite_version_id: given ? selection.suite_version_id.toLowerCase() : null,
      tasks: selections.reduce((sum, { task_ids: tasks }) => sum + tasks.length, 0),
      task_selections: selections,
    }
  }

  const create = (
    workspaceId: string,
    { name, description, previous_version_id, groups: asked }: NewReleaseSuite,
    once: boolean,
  ): ReleaseSuite => {
    requireDistinctKeys(asked)
    if (asked.every(({ weight }) => weight === 0)) throw invalidField(['body', 'groups'], 'the weights add to 0; give a group a weight')
    const groups = asked.map((group, i) => groupOf(workspaceId, group, i))
    requireDistinctTasks(groups)
    const digest = bodyDigest(groups)
    return db.transaction(() => {
      const same = once ? findSameSuite(db, workspaceId, name, digest) : null
      if (same) return same
      const previous = previous_version_id === null ? null : requireLatest(db, 'release_suites', read(workspaceId, previous_version_id))
      const id = ids.next()
      const suite: ReleaseSuite = {
        id,
        suite_id: previous?.suite_id ?? id,
        version: (previous?.version ?? 0) + 1,
        previous_version_id: previous?.id ?? null,
        name,
        description,
        groups,
        tasks: groups.reduce((sum, { tasks }) => sum + tasks, 0),
        digest,
        created_at: timestamp(clock),
      }
      insertReleaseSuite(db, workspaceId, suite)
      return suite
    })
  }
  return {
    read,
    create: (workspaceId: string, body: NewReleaseSuite): ReleaseSuite => create(workspaceId, body, false),
    /** The suite of that name and content where the workspace has one. */
    createOnce: (workspaceId: string, body: NewReleaseSuite): ReleaseSuite => create(workspaceId, body, true),
  }
}

/** Puts what is wrong with a selection at its place in the request. */
function inGroup<Result>(i: number, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.code, error.message, {
      detail: error.detail.map(({ loc: [, ...path], ...rest }) => ({ loc: ['body', 'groups', i, 'selection', ...path], ...rest })),
    })
  }
}

function requireDistinctKeys(groups: readonly { readonly key: string }[]): void {
  const repeated = groups.findIndex(({ key }, i) => groups.findIndex(other => other.key === key) < i)
  const group = groups[repeated]
  if (group) throw invalidField(['body', 'groups', repeated, 'key'], `"${group.key}" is used by two groups; keys must differ`)
}

/** A task in two groups would count twice in every rule on the whole suite. */
function requireDistinctTasks(groups: readonly { readonly key: string; readonly task_selections: readonly ResolvedSelection[] }[]): void {
  const seen = new Map<string, string>()
  for (const [i, { key, task_selections: selections }] of groups.entries()) {
    for (const { source_ref, task_ids } of selections) {
      for (const task of task_ids) {
        const name = `${source_ref}\n${task}`
        const other = seen.get(name)
        if (other !== undefined)
          throw invalidField(
            ['body', 'groups', i, 'selection'],
            `the task "${task}" of ${source_ref} is in ${other === key ? `"${key}" twice` : `the groups "${other}" and "${key}"`}; a task can be in a suite once`,
            'duplicate_task',
          )
        seen.set(name, key)
      }
    }
  }
}
