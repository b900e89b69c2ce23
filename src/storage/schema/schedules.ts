import type { Generated } from 'kysely'
import type { ScheduleOccurrenceStatus, ScheduleStatus } from '../../contract/schedules/schedule.machine.ts'
import type { Schedule, ScheduleOccurrence } from '../../contract/schedules/schedules.schemas.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface SchedulesTable {
  no: Generated<number>
  id: string
  workspace_id: string
  name: string
  status: StatusColumn<ScheduleStatus>
  pause_reason: Schedule['pause_reason']
  pause_message: string | null
  cron: string
  time_zone: string
  /** The contract's RunGroupQuoteRequest, every default written out. */
  terms: JsonText
  /** The contract's FrozenTerms and the digest of the tasks. */
  frozen: JsonText
  max_monthly_microusd: number
  /** Null while the schedule is not active. */
  next_run_at: string | null
  /** Person or key that pays. */
  owner_id: string
  created_at: string
}

export interface ScheduleOccurrencesTable {
  no: Generated<number>
  id: string
  schedule_no: number
  due_at: string
  status: StatusColumn<ScheduleOccurrenceStatus>
  reason: ScheduleOccurrence['reason']
  message: string | null
  run_group_id: string | null
  /** Calendar month, UTC, whose limit it counts toward; null until it has started. */
  month: string | null
  /** While it runs, what it can cost at most. */
  spent_microusd: Generated<number>
  created_at: string
}
