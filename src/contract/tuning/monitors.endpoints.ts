import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { folderQuery } from '../items/items.schemas.ts'
import { Cursor, limitQuery, Uuid } from '../primitives.ts'
import {
  NewTuneMonitor,
  TuneMonitor,
  TuneMonitorEvent,
  TuneMonitorPatch,
  TuneOccurrence,
  TuneOccurrenceAccepted,
  TuneWorkload,
} from './monitors.schemas.ts'

const params = z.strictObject({ monitor_id: Uuid })
const listing = z.strictObject({ cursor: Cursor.optional(), limit: limitQuery(50) })
const nextCursor = { 'Next-Cursor': 'Cursor of the next page; absent on the last.' }

export const tuneMonitorsEndpoints = endpoints('Tuning', {
  createTuneMonitor: {
    route: 'POST /v1/tune-monitors',
    summary: 'Create a monitor',
    description: 'A monitor checks whether a call is still as good as its baseline, by rerunning the benchmark and by grading new outputs.',
    scope: 'tuning:write',
    status: 201,
    idempotent: 'stored',
    body: NewTuneMonitor,
    response: TuneMonitor,
    errors: ['not_found', 'conflict', 'illegal_transition', 'result_not_ready', 'spend_ceiling_reached'],
  },
  listTuneMonitors: {
    route: 'GET /v1/tune-monitors',
    summary: 'List monitors, newest first',
    description: 'With the last verdict of each.',
    scope: 'tuning:read',
    query: listing.extend(folderQuery),
    response: z.array(TuneMonitor),
    replyHeaders: nextCursor,
    errors: ['invalid_cursor'],
  },
  patchTuneMonitor: {
    route: 'PATCH /v1/tune-monitors/{monitor_id}',
    summary: 'Pause, resume or archive a monitor',
    description: 'An archived monitor stays readable and never runs again.',
    scope: 'tuning:write',
    params,
    body: TuneMonitorPatch,
    response: TuneMonitor,
    errors: ['illegal_transition', 'spend_ceiling_reached'],
  },
  listTuneOccurrences: {
    route: 'GET /v1/tune-monitors/{monitor_id}/occurrences',
    summary: 'List a monitor’s occurrences, newest first',
    description: 'Each check with its verdict, figures and cost.',
    scope: 'tuning:read',
    params,
    query: listing,
    response: z.array(TuneOccurrence),
    replyHeaders: nextCursor,
    errors: ['invalid_cursor'],
  },
  createTuneMonitorEvent: {
    route: 'POST /v1/tune-monitors/{monitor_id}/events',
    summary: 'Send a change event to a monitor',
    description:
      'Runs the benchmark again in the background. Charged to whoever sends it, within their spending limits. At most 60 events and workloads per minute and sender, over all monitors, and 100 that have not ended.',
    scope: 'tuning:write',
    status: 202,
    idempotent: 'stored',
    params,
    body: TuneMonitorEvent,
    response: TuneOccurrenceAccepted,
    errors: ['illegal_transition', 'conflict', 'spend_ceiling_reached'],
  },
  queueTuneWorkload: {
    route: 'POST /v1/tune-monitors/{monitor_id}/workloads',
    summary: 'Send new outputs for grading and drift detection',
    description:
      'Known outputs are skipped. Charged to whoever sends it, within their spending limits. At most 16 MiB, 60 events and workloads per minute and sender, and 100 that have not ended. Stored traces also need the scope traces:read.',
    scope: 'tuning:write',
    status: 202,
    idempotent: 'stored',
    maxBody: 16 * 1024 * 1024,
    params,
    body: TuneWorkload,
    response: TuneOccurrenceAccepted,
    errors: ['missing_scope', 'conflict', 'illegal_transition', 'spend_ceiling_reached'],
  },
})
