import type { schedulesEndpoints } from '../../contract/schedules/schedules.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Schedules } from './schedules.service.ts'

export function schedulesHandlers(schedules: Schedules): Handlers<typeof schedulesEndpoints> {
  return {
    createSchedule: ({ workspaceId, principal }, { body }) => schedules.create(workspaceId, principal, body),
    listSchedules: ({ workspaceId }, { query }) => schedules.list(workspaceId, query),
    getSchedule: ({ workspaceId }, { params }) => schedules.read(workspaceId, params.schedule_id),
    changeSchedule: ({ workspaceId, principal }, { params, body }) => schedules.change(workspaceId, params.schedule_id, principal, body),
    listScheduleOccurrences: ({ workspaceId }, { params, query }) => schedules.occurrences(workspaceId, params.schedule_id, query),
  }
}
