import type { Schedule, ScheduleOccurrence } from '../../contract/schedules/schedules.schemas.ts'
import { mostCounted } from '../../lib/calendar/cron.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatTimestamp } from '../../lib/format/time.ts'
import type { Status } from '../ui/values/statuses.ts'

const scheduleStatuses: Readonly<Record<Schedule['status'], Status>> = {
  active: { word: 'Active', tone: 'pass' },
  paused: { word: 'Paused', tone: 'neutral' },
  archived: { word: 'Archived', tone: 'neutral' },
}

/** A pause that the service made asks for a person. */
export function scheduleStatus({ status, pause_reason: reason }: Pick<Schedule, 'status' | 'pause_reason'>): Status {
  if (status !== 'paused' || reason === null || reason === 'person') return scheduleStatuses[status]
  return { word: { cap_reached: 'Limit reached', unauthorized: 'Not allowed', terms_changed: 'Terms changed' }[reason], tone: 'human' }
}

const occurrenceStatuses: Readonly<Record<ScheduleOccurrence['status'], Status>> = {
  due: { word: 'Starting', tone: 'running' },
  started: { word: 'Running', tone: 'running' },
  ended: { word: 'Ended', tone: 'pass' },
  skipped: { word: 'Skipped', tone: 'warn' },
  failed: { word: 'Failed', tone: 'fail' },
}

export function occurrenceStatus({ status, reason }: Pick<ScheduleOccurrence, 'status' | 'reason'>): Status {
  return reason === 'gave_up' ? { word: 'Gave up', tone: 'fail' } : occurrenceStatuses[status]
}

/** Why it was skipped or failed, or which runs it replaces; null where it began in time. */
export function occurrenceReason({
  message,
  missed_times: missed,
  created_at: at,
}: Pick<ScheduleOccurrence, 'message' | 'missed_times' | 'created_at'>): string | null {
  if (message !== null || missed === 0) return message
  if (missed === 1) return `Started late, at ${formatTimestamp(at)}.`
  return `Replaces ${formatCount(missed)}${missed < mostCounted ? '' : ' or more'} runs missed until ${formatTimestamp(at)}.`
}

/** Calendars that people choose most. */
export const usualCalendars = [
  { value: '0 6 * * *', label: 'Every day at 06:00' },
  { value: '0 6 * * mon-fri', label: 'Monday to Friday at 06:00' },
  { value: '0 6 * * mon', label: 'Every Monday at 06:00' },
  { value: '0 6 1 * *', label: 'First of each month at 06:00' },
  { value: '0 * * * *', label: 'Every hour' },
] as const

/** In words where it is a usual one. */
export function describeCalendar({ cron, time_zone: zone }: Pick<Schedule, 'cron' | 'time_zone'>): string {
  return `${usualCalendars.find(({ value }) => value === cron)?.label ?? cron} (${zone})`
}
