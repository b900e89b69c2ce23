import type { tuneMonitorsEndpoints } from '../../contract/tuning/monitors.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import type { TuneMonitors } from './monitors.service.ts'

export function tuneMonitorsHandlers(monitors: TuneMonitors): Handlers<typeof tuneMonitorsEndpoints> {
  return {
    createTuneMonitor: ({ workspaceId, principal }, { body }) => monitors.create(workspaceId, principal, body),
    listTuneMonitors: ({ workspaceId, setNextCursor }, { query }) => {
      const { items, next_cursor } = monitors.list(workspaceId, query)
      setNextCursor(next_cursor)
      return items
    },
    patchTuneMonitor: ({ workspaceId, principal }, { params, body }) =>
      monitors.patch(workspaceId, params.monitor_id, principal, body.status),
    listTuneOccurrences: ({ workspaceId, setNextCursor }, { params, query }) => {
      const { items, next_cursor } = monitors.occurrences(workspaceId, params.monitor_id, query)
      setNextCursor(next_cursor)
      return items
    },
    createTuneMonitorEvent: ({ workspaceId, principal }, { params, body }) =>
      monitors.event(workspaceId, params.monitor_id, principal, body),
    queueTuneWorkload: ({ workspaceId, workspace, principal }, { params, body }) => {
      if (!('outputs' in body)) requireScope(principal, workspace, 'traces:read')
      return monitors.workload(workspaceId, params.monitor_id, principal, body)
    },
  }
}
