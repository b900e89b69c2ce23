import { ApiError, notFound } from '../../contract/errors.ts'
import type { NewSuite, Suite } from '../../contract/suites/suites.schemas.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { describeTasks } from './describe-suite.ts'
import { resolveSelections, type SelectedTasks } from './resolve-selections.ts'
import { findSuiteRow, insertSuite, listPublicSuites, listSuites, type SuitesQuery, toSuite } from './suites.store.ts'

export type Suites = ReturnType<typeof createSuites>

export function createSuites(kernel: Kernel) {
  const { db, clock, ids } = kernel

  /** A suite version that the workspace made or that is public; to everybody else it does not exist. */
  const read = (workspaceId: string, id: string): Suite => {
    const row = findSuiteRow(db, id)
    if (!row || (row.workspace_id !== workspaceId && row.visibility !== 'public')) throw notFound('suite version', id)
    return toSuite(row)
  }
  const readPublic = (id: string): Suite => {
    const row = findSuiteRow(db, id)
    if (row?.visibility !== 'public') throw notFound('public suite version', id)
    return toSuite(row)
  }
  /** The version that a new one follows: the workspace's own, and the last of its suite. */
  const previousOf = (workspaceId: string, id: string) => {
    const row = findSuiteRow(db, id)
    if (row?.workspace_id !== workspaceId) throw notFound('suite version', id)
    if (row.next_id !== null) {
      throw new ApiError(
        'conflict',
        `Version ${row.version} of this suite is followed by "${row.next_id}" already. Read the latest version and build on that.`,
      )
    }
    return row
  }

  return {
    read,
    readPublic,
    list: (workspaceId: string, query: SuitesQuery) => listSuites(db, workspaceId, query),
    listPublic: (query: Pick<SuitesQuery, 'cursor' | 'limit'>) => listPublicSuites(db, query),
    create: (workspaceId: string, { name, description, visibility, task_selections, previous_version_id }: NewSuite): Suite => {
      const selected = resolveSelections(db, workspaceId, task_selections)
      if (visibility === 'public') requireShared(selected)
      return db.transaction(() => {
        const previous = previous_version_id === null ? null : previousOf(workspaceId, previous_version_id)
        const id = ids.next()
        const suite: Suite = {
          id,
          suite_id: previous?.suite_id ?? id,
          version: (previous?.version ?? 0) + 1,
          previous_version_id: previous?.id ?? null,
          latest: true,
          name,
          description,
          visibility,
          origin: 'workspace',
          ...describeTasks(selected),
          created_at: timestamp(clock),
        }
        insertSuite(db, workspaceId, suite)
        return suite
      })
    },
  }
}

/** Whoever reads a public suite must be able to run it. */
function requireShared(selected: readonly SelectedTasks[]): void {
  const own = selected.flatMap(({ source }, i) => (source.shared ? [] : [{ ref: source.sourceRef, i }]))
  if (own.length === 0) return
  const msg = ({ ref }: { ref: string }) => `only this workspace can see ${ref}, so a public suite cannot hold it`
  throw new ApiError(
    'task_unavailable',
    `The suite cannot be public: ${own.map(msg).join('; ')}. Make it visible to the workspace instead.`,
    {
      detail: own.map(source => ({
        loc: ['body', 'task_selections', source.i, 'source_ref'],
        msg: msg(source),
        type: 'source_not_public',
      })),
    },
  )
}
