import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine, type RunStatus } from '../../contract/runs/run.machine.ts'
import type { Run, RunSort } from '../../contract/runs/runs.schemas.ts'
import { call } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export const POLL_MS = 2_000
const LIST_PAGE = 100
/** How long after its end a run is still asked for a result that is not there yet. */
const PATIENCE_MS = 60_000

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', 'one', runId],
    queryFn: ({ signal }) => call('getRun', { params: { run_id: runId } }, { signal }),
  })

export interface RunFilters {
  readonly q: string
  readonly status: RunStatus | undefined
  /** Absent: only those that are not archived. */
  readonly archived: 'true' | 'any' | undefined
  readonly tag: string | undefined
  readonly bookmarked: 'true' | undefined
  readonly pinned: 'true' | undefined
  readonly model: string | undefined
  readonly benchmark: string | undefined
  readonly folder: string | undefined
  /** Id of a person or key. */
  readonly by: string | undefined
  readonly created_from: string | undefined
  readonly created_before: string | undefined
  readonly sort: RunSort | undefined
}

export function useRuns(filters: RunFilters) {
  return useInfiniteQuery(
    pagedQuery(['runs', 'list', filters], (cursor, signal) =>
      call('listRuns', { query: { ...filters, cursor, limit: LIST_PAGE } }, { signal }),
    ),
  )
}

/** Whether there are archived runs, for a list that shows none. */
export const hasArchivedRunsQuery = queryOptions({
  queryKey: ['runs', 'archived'],
  queryFn: ({ signal }) => call('listRuns', { query: { archived: 'true', limit: 1 } }, { signal }),
  select: ({ items }) => items.length > 0,
})

/** A run that is read again every two seconds for as long as it can change. */
export function usePolledRun(run: Run): Run {
  const query = useQuery({
    ...runQuery(run.id),
    initialData: run,
    staleTime: POLL_MS,
    enabled: isUnsettled(run),
    refetchInterval: ({ state }) => (state.data && isUnsettled(state.data) ? POLL_MS : false),
  })
  // The list may have been read after this query was.
  return isUnsettled(run) ? query.data : run
}

/**
 * Whether a run can still change by itself: it works, it is graded anew, a part of it works, or it has ended so lately that its
 * result may be on its way. A part has no result to wait for.
 */
export function isUnsettled({ status, result_version: version, finished_at: finished, parts, part_of: whole, regrade }: Run): boolean {
  if (!isTerminal(runMachine, status) || regrade !== null || parts.some(part => !isTerminal(runMachine, part.status))) return true
  return version === null && whole === null && finished !== null && Date.now() - Date.parse(finished) < PATIENCE_MS
}
