import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { type RunEvents, useRunEvents } from '../api/live-events.ts'
import { isUnsettled, POLL_MS, runQuery } from './runs.queries.ts'

/** Keeps a run that was read up to date: by its event stream while that holds, by reading it again where it does not. */
export function useLiveRun(read: Run): { readonly run: Run; readonly events: RunEvents } {
  const client = useQueryClient()
  const { id } = read
  const events = useRunEvents(isTerminal(runMachine, read.status) ? null : id)
  const { progress, end, connection } = events
  const query = useQuery({
    ...runQuery(id),
    refetchInterval: ({ state: { data } }) => {
      const stale = connection === 'polling' || (data !== undefined && isTerminal(runMachine, data.status))
      return data && stale && isUnsettled(data) ? POLL_MS : false
    },
  })
  useEffect(() => {
    // The end, with its result version, is read from the service when the stream tells of it.
    if (!progress || isTerminal(runMachine, progress.status)) return
    const { status, accounting, activity, pause, progress: counts } = progress
    client.setQueryData(runQuery(id).queryKey, before => before && { ...before, status, accounting, activity, pause, progress: counts })
  }, [client, id, progress])
  useEffect(() => {
    if (end) void client.invalidateQueries({ queryKey: ['runs'] })
  }, [client, end])
  return { run: query.data ?? read, events }
}
