import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { NewSchedule, Schedule, ScheduleChanges, ScheduleOccurrence } from './schedules.schemas.ts'

const params = z.strictObject({ schedule_id: Uuid })

/** Run groups that begin by a calendar. */
export const schedulesEndpoints = endpoints('Schedules', {
  createSchedule: {
    route: 'POST /v1/schedules',
    summary: 'Run a group of models by a calendar',
    description:
      'Quotes the terms now and keeps what was quoted. Each occurrence is quoted again and becomes a run group within the same limits. Times that were missed while the service was off are made up once. A workspace has at most 100 schedules that are not archived.',
    scope: 'runs:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    body: NewSchedule,
    response: Schedule,
    errors: ['not_found', 'conflict', 'quote_incompatible', 'spend_ceiling_reached', 'exact_task_suite', 'task_unavailable'],
  },
  listSchedules: {
    route: 'GET /v1/schedules',
    summary: 'List schedules',
    description: 'Newest first.',
    scope: 'runs:read',
    query: z.strictObject(paging()),
    response: page(Schedule),
    errors: ['invalid_cursor'],
  },
  getSchedule: {
    route: 'GET /v1/schedules/{schedule_id}',
    summary: 'Read a schedule',
    description: 'Its next time, what it has spent this month, and why it is paused.',
    scope: 'runs:read',
    params,
    response: Schedule,
  },
  changeSchedule: {
    route: 'PATCH /v1/schedules/{schedule_id}',
    summary: 'Rename, pause, resume or archive a schedule, or change its monthly limit',
    description: 'Whoever resumes it or raises its limit passes their own spending limits first. Archiving is final.',
    scope: 'runs:write',
    params,
    body: ScheduleChanges,
    response: Schedule,
    errors: ['illegal_transition', 'spend_ceiling_reached'],
  },
  listScheduleOccurrences: {
    route: 'GET /v1/schedules/{schedule_id}/occurrences',
    summary: 'List what a schedule has started, and what it has skipped',
    description: 'Newest first.',
    scope: 'runs:read',
    params,
    query: z.strictObject(paging()),
    response: page(ScheduleOccurrence),
    errors: ['invalid_cursor'],
  },
})
