import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { ApiError } from '../../contract/errors.ts'
import type { ModelChoice } from '../../contract/quotes/quotes.schemas.ts'
import type { NewRunGroup, RunGroup, RunGroupQuote, RunGroupQuoteRequest } from '../../contract/run-groups/run-groups.schemas.ts'
import { scheduleMachine, scheduleOccurrenceMachine } from '../../contract/schedules/schedule.machine.ts'
import type { Schedule, ScheduleOccurrence } from '../../contract/schedules/schedules.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { storageFault } from '../../storage/storage-fault.ts'
import { transition } from '../../storage/transition.ts'
import { WorkLimitError } from '../../workers/bounded-pool.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { boundsOf, changedTerms, frozenBy, unknownRates } from './frozen-terms.ts'
import {
  changeOccurrence,
  changeSchedule,
  frozenOf,
  isRunning,
  monthOf,
  type OccurrenceRow,
  openOccurrences,
  scheduleByNo,
  type ScheduleRow,
  spentIn,
  termsOf,
} from './schedules.store.ts'

const column = { table: 'schedules', column: 'status' } as const
const occurrenceColumn = { table: 'schedule_occurrences', column: 'status' } as const

/** Run groups as schedules start and follow them. */
export interface GroupsPort {
  /** `store` keeps the quotes, in the transaction of what they are for. */
  prepare(workspaceId: string, terms: RunGroupQuoteRequest): Promise<{ readonly quote: RunGroupQuote; store(): void }>
  create(workspaceId: string, principalId: string, group: NewRunGroup): RunGroup
  read(workspaceId: string, id: string): RunGroup
  spent(workspaceId: string, id: string): bigint
}

/** The connection that answers for a model; null where there is none, or none that chats. */
export type ConnectionOf = (workspaceId: string, model: ModelChoice) => Pick<Connection, 'name' | 'status'> | null

type PauseReason = Exclude<Schedule['pause_reason'], 'person' | null>

/** Ended without a run; with `pause` the schedule stops until a person resumes it. */
class SkipError extends Error {
  override readonly name = 'SkipError'
  readonly reason: NonNullable<ScheduleOccurrence['reason']>
  readonly pause: PauseReason | null
  /** What to do once it is skipped, where it is skipped only if nothing has changed when its time is over; null: at once. */
  readonly cure: string | null

  constructor(
    reason: NonNullable<ScheduleOccurrence['reason']>,
    message: string,
    pause: PauseReason | null = null,
    cure: string | null = null,
  ) {
    super(message)
    this.reason = reason
    this.pause = pause
    this.cure = cure
  }
}

/** Refusals that stay until somebody changes something. */
const lastingRefusals: Partial<Record<ApiError['code'], PauseReason>> = {
  unauthenticated: 'unauthorized',
  workspace_forbidden: 'unauthorized',
  missing_scope: 'unauthorized',
  spend_ceiling_reached: 'cap_reached',
  insufficient_credit: 'cap_reached',
}

/** Milliseconds between tries of a start that a passing fault prevents, and for how long it is tried unless the next time comes first. */
const retryMs = 60_000
const windowMs = 3_600_000

/** What becomes of the times that have come. */
export function createOccurrences(
  { db, clock, log }: Pick<Kernel, 'db' | 'clock' | 'log'>,
  groups: GroupsPort,
  connectionOf: ConnectionOf,
  requireSpender: (workspaceId: string, starterId: string, terms: RunGroupQuoteRequest) => void,
) {
  let isStopped = false
  /** When a try of an occurrence ended, in milliseconds since 1970, and whether its work had taken too long. */
  const tried = new Map<string, { readonly at: number; readonly wasLong: boolean }>()

  const skip = (schedule: ScheduleRow, { id }: OccurrenceRow, { reason, message, pause }: SkipError): void =>
    db.transaction(() => {
      const now = timestamp(clock)
      transition(
        db,
        scheduleOccurrenceMachine,
        occurrenceColumn,
        id,
        reason === 'refused' || reason === 'gave_up' ? 'fail' : 'skip',
        now,
        reason,
      )
      changeOccurrence(db, id, { reason, message })
      if (pause === null || scheduleByNo(db, schedule.no)?.status !== 'active') return
      changeSchedule(db, schedule.no, { pause_reason: pause, pause_message: message, next_run_at: null })
      transition(db, scheduleMachine, column, schedule.id, 'suspend', now, pause)
    })

  /** @throws SkipError, ApiError */
  const start = async (schedule: ScheduleRow, { id }: OccurrenceRow): Promise<void> => {
    const { workspace_id: workspaceId, owner_id: ownerId, no, name } = schedule
    requireActive(schedule.status)
    if (isRunning(db, no)) throw new SkipError('still_running', 'The run group of an earlier time has not ended.')
    requireSpender(workspaceId, ownerId, termsOf(schedule))
    const { quote, store } = await groups.prepare(workspaceId, termsOf(schedule)).catch((error: unknown) => {
      throw missingRoute(error, schedule) ?? error
    })
    if (!quote.compatible)
      throw problemOf(
        quote,
        termsOf(schedule).models.flatMap(model => connectionOf(workspaceId, model) ?? []),
      )
    const changed = changedTerms(frozenOf(schedule), frozenBy(quote))
    if (changed !== null) throw new SkipError('terms_changed', changed, 'terms_changed')
    const most = mostOf(quote)
    if (most === null) throw new SkipError('cap_reached', unknownRates, 'cap_reached')
    db.transaction(() => {
      // It may have been paused, or its limit lowered, while it was quoted.
      const { status, max_monthly_microusd: limit } = scheduleByNo(db, no) ?? schedule
      requireActive(status)
      const month = monthOf(timestamp(clock))
      const { max_charge_microusd, execution } = termsOf(schedule)
      store()
      const group = groups.create(workspaceId, ownerId, {
        name,
        quote_ids: quote.quotes.map(each => each.id),
        max_charge_microusd,
        max_provider_billed_microusd: execution.max_provider_billed_microusd,
      })
      const left = BigInt(limit) - spentIn(db, schedule, month)
      // The group is taken back with the transaction.
      if (most > left)
        throw new SkipError(
          'cap_reached',
          `The next run could cost ${formatUsd(String(most))} and ${formatUsd(String(left > 0n ? left : 0n))} of the monthly limit of ${formatUsd(String(limit))} is left. Raise the limit and resume.`,
          'cap_reached',
        )
      transition(db, scheduleOccurrenceMachine, occurrenceColumn, id, 'start', timestamp(clock))
      changeOccurrence(db, id, { run_group_id: group.id, month, spent_microusd: Number(most), message: null })
    })
  }

  return {
    /** Starts what is due, one after the other. */
    startDue: async (): Promise<void> => {
      const due = openOccurrences(db, 'due')
      for (const occurrence of due) {
        if (isStopped) return
        const schedule = scheduleByNo(db, occurrence.schedule_no)
        const now = clock.now().getTime()
        const last = tried.get(occurrence.id)
        if (!schedule || (last && now - last.at < retryMs)) continue
        tried.delete(occurrence.id)
        try {
          await start(schedule, occurrence)
        } catch (error) {
          if (isStopped) return
          // It concerns every schedule, and passes.
          if (storageFault(error) !== null) throw error
          const isOver = due.some(({ schedule_no: no, no: order }) => no === schedule.no && order > occurrence.no)
          const isLong = error instanceof WorkLimitError
          // Work that took too long twice would keep the others waiting for an hour.
          const isFinal = isOver || (isLong && last?.wasLong === true)
          if (isPassing(error) && !isFinal && now - Date.parse(occurrence.created_at) < windowMs) {
            tried.set(occurrence.id, { at: clock.now().getTime(), wasLong: isLong || last?.wasLong === true })
            const again = isLong ? 'It is tried once more.' : 'It is tried again every minute.'
            changeOccurrence(db, occurrence.id, { message: `${sentence(error.message)} ${again}` })
            continue
          }
          const isRefusal = error instanceof SkipError || error instanceof ApiError
          if (!isRefusal) log.error({ err: error, scheduleId: schedule.id }, 'the run of a schedule could not be started')
          skip(schedule, occurrence, skipOf(error))
        }
      }
    },
    /** Counts what ended run groups have really cost. */
    settle: (): void => {
      for (const { id, schedule_no: no, run_group_id: groupId } of openOccurrences(db, 'started')) {
        const schedule = scheduleByNo(db, no)
        if (!schedule || groupId === null) continue
        const group = groups.read(schedule.workspace_id, groupId)
        if (!group.ended) continue
        db.transaction(() => {
          transition(db, scheduleOccurrenceMachine, occurrenceColumn, id, 'end', timestamp(clock))
          changeOccurrence(db, id, { spent_microusd: Number(groups.spent(schedule.workspace_id, group.id)) })
        })
      }
    },
    stop: (): void => {
      isStopped = true
    },
  }
}

/** By wallet and providers; null where a connection states no rates. */
function mostOf(quote: RunGroupQuote): bigint | null {
  const { wallet, provider } = boundsOf(frozenBy(quote))
  return provider === null ? null : wallet + provider
}

/** @throws SkipError */
function requireActive(status: ScheduleRow['status']): void {
  if (status !== 'active') throw new SkipError('paused', `The schedule is ${status}.`)
}

/** A model whose last check failed may be back soon; nothing else that a quote checks changes by itself. */
function problemOf({ quotes }: RunGroupQuote, connections: readonly Pick<Connection, 'name' | 'status'>[]): SkipError {
  const gone = connections.find(({ status }) => status === 'disabled')
  // For good: no schedule changes its models.
  if (gone)
    return new SkipError(
      'terms_changed',
      `The connection "${gone.name}" is disabled. Create a new schedule with another model.`,
      'terms_changed',
    )
  const failed = quotes.flatMap(({ compatibility }) => compatibility.checks).filter(({ status }) => status === 'fail')
  const isAway = connections.some(({ status }) => status === 'failing')
  const mayPass = isAway && failed.length > 0 && failed.every(({ check }) => check === 'model_available')
  const message = `The terms cannot be run: ${sentence(failed[0]?.detail ?? 'see the checks of their quote')}`
  const cure = 'Resume the schedule once that has changed, or create another one.'
  return new SkipError('terms_changed', mayPass ? message : `${message} ${cure}`, 'terms_changed', mayPass ? cure : null)
}

/** A part of the service, or a model, is away or busy, which passes without a change. */
function isPassing(error: unknown): error is Error {
  if (error instanceof SkipError) return error.cure !== null
  // Work that needs too much memory needs it each time.
  if (error instanceof WorkLimitError) return error.limit === 'time'
  return error instanceof ApiError && (error.status >= 500 || error.status === 429)
}

/** A server of this machine that does not run has no route, and may run soon. Null for other faults. */
function missingRoute(error: unknown, schedule: ScheduleRow): SkipError | null {
  if (!(error instanceof ApiError) || error.detail.every(({ type }) => type !== 'unknown_route')) return null
  const routes = termsOf(schedule).models.flatMap(model => (model.kind === 'managed' ? [model.route_id] : []))
  const missing = routes.filter(id => error.message.includes(`"${id.slice(0, 100)}"`))
  const message = `The model ${missing.join(', ')} is not offered now. Start its server.`
  return new SkipError('terms_changed', message, 'terms_changed', 'Resume the schedule then, or create one with another model.')
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

function skipOf(error: unknown): SkipError {
  if (error instanceof SkipError)
    return error.cure === null ? error : new SkipError(error.reason, `${error.message} ${error.cure}`, error.pause)
  if (isPassing(error)) return new SkipError('gave_up', `Gave up starting the run. Last error: ${sentence(error.message)}`)
  if (error instanceof WorkLimitError) return new SkipError('refused', `The run could not be started. ${error.message}`)
  if (!(error instanceof ApiError)) return new SkipError('refused', 'The run could not be started: internal error. See the service log.')
  const lasting = lastingRefusals[error.code]
  return lasting ? new SkipError(lasting, error.message, lasting) : new SkipError('refused', error.message)
}
