import type { tuneMonitorsEndpoints } from '../../contract/tuning/monitors.endpoints.ts'
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
    patchTuneMonitor: ({ workspaceId }, { params, body }) => monitors.patch(workspaceId, params.monitor_id, body.status),
    listTuneOccurrences: ({ workspaceId, setNextCursor }, { params, query }) => {
      const { items, next_cursor } = monitors.occurrences(workspaceId, params.monitor_id, query)
      setNextCursor(next_cursor)
      return items
    },
    createTuneMonitorEvent: ({ workspaceId }, { params, body }) => monitors.event(workspaceId, params.monitor_id, body),
    queueTuneWorkload: ({ workspaceId }, { params, body }) => monitors.workload(workspaceId, params.monitor_id, body),
  }
}
