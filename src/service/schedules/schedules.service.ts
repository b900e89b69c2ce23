import { ApiError, requireFound } from '../../contract/errors.ts'
import { allows, illegalTransition } from '../../contract/machine.ts'
import type { RunGroupQuote, RunGroupQuoteRequest } from '../../contract/run-groups/run-groups.schemas.ts'
import { scheduleMachine, type ScheduleStatus } from '../../contract/schedules/schedule.machine.ts'
import type { NewSchedule, Schedule, ScheduleChanges } from '../../contract/schedules/schedules.schemas.ts'
import { guarded } from '../../lib/guarded.ts'
import { transition } from '../../storage/transition.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { storedLimit } from '../../storage/stored-limit.ts'
import { atIntervals, clockCorrections } from '../background.ts'
import type { Principal } from '../auth/index.ts'
import type { Connections } from '../connections/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Quotes } from '../quotes/index.ts'
import type { Runs } from '../runs/index.ts'
import { requireFewer } from '../require-fewer.ts'
import { startWork, type Work } from '../spending/index.ts'
import { nextOf, requireCalendar } from './calendar.ts'
import { type ConnectionOf, createOccurrences, type GroupsPort } from './occurrences.ts'
import { boundsOf, frozenBy, unknownRates } from './frozen-terms.ts'
import {
  changeSchedule,
  dueSchedules,
  findSchedule,
  type Frozen,
  frozenOf,
  insertOccurrence,
  insertSchedule,
  listOccurrences,
  listSchedules,
  liveSchedules,
  monthOf,
  type ScheduleRow,
  spentIn,
  toSchedule,
  waitingSchedules,
} from './schedules.store.ts'

const column = { table: 'schedules', column: 'status' } as const
/** Between looks for schedules that are due. */
const lookMs = 5_000
/** Of a workspace, without archived ones. */
const mostSchedules = 100

interface SchedulesDependencies {
  readonly connections: Connections
  readonly groups: GroupsPort
  readonly quotes: Pick<Quotes, 'least'>
  readonly runs: Pick<Runs, 'onEnded'>
}

export type Schedules = ReturnType<typeof createSchedules>

/** Run groups by a calendar: each is quoted again, within the limits that were frozen with the schedule. */
export function createSchedules(kernel: Kernel, { connections, groups, quotes, runs }: SchedulesDependencies) {
  const { db, clock, ids, log } = kernel
  const connectionOf: ConnectionOf = (workspaceId, model) => {
    const route = model.kind === 'managed' && connections.routes(workspaceId).find(one => one.route.route_id === model.route_id)
    const id = model.kind === 'connection' ? model.connection_id : (route || null)?.connectionId
    const connection = id ? connections.find(workspaceId, id) : null
    return connection?.capabilities.includes('chat') ? connection : null
  }
  /** Prompts are measured for a quote, which stores their tokens, so whoever may spend nothing is refused before. @throws ApiError */
  const requireSpender = (workspaceId: string, starterId: string, { models, selection, execution }: RunGroupQuoteRequest): void => {
    const spend = quotes.least(workspaceId, { models, profileIds: selection.profile_ids ?? [], evaluators: execution.evaluators })
    startWork(db, starterId, { workspaceId, scope: 'runs:write', spend }, timestamp(clock), () => undefined)
  }
  const occurrences = createOccurrences(kernel, groups, connectionOf, requireSpender)
  let working: Promise<void> | null = null

  const rowOf = (workspaceId: string, id: string): ScheduleRow => {
    return requireFound(findSchedule(db, workspaceId, id), 'schedule', id)
  }
  const view = (workspaceId: string, id: string): Schedule => toSchedule(db, rowOf(workspaceId, id), timestamp(clock))
  const requireRoom = (workspaceId: string): void =>
    requireFewer(liveSchedules(db, workspaceId).length, mostSchedules, 'schedules', 'Archive one that is not needed.')
  const workOf = (workspaceId: string, frozen: Frozen): Work => ({ workspaceId, scope: 'runs:write', spend: boundsOf(frozen) })

  const followCorrections = clockCorrections(
    now => waitingSchedules(db, now),
    ({ cron, time_zone: timeZone }, after) => nextOf(cron, timeZone, after),
    ({ no }, next) => changeSchedule(db, no, { next_run_at: next }),
  )
  /** What was missed while the service did not run happens once. */
  const followCalendars = (): void => {
    const now = timestamp(clock)
    followCorrections(now)
    for (const { no, next_run_at: dueAt, cron, time_zone: timeZone } of dueSchedules(db, now))
      db.transaction(() => {
        insertOccurrence(db, { id: ids.next(), scheduleNo: no, dueAt: dueAt ?? now, createdAt: now })
        changeSchedule(db, no, { next_run_at: nextOf(cron, timeZone, now) })
      })
  }
  const look = (): void => {
    kernel.storage.attempt(() => {
      occurrences.settle()
      followCalendars()
    })
    working ??= occurrences
      .startDue()
      .catch((error: unknown) => log.error({ err: error }, 'starting the runs of schedules failed'))
      .finally(() => {
        working = null
      })
  }
  const failure = 'following schedules failed'
  const looking = atIntervals(log, lookMs, look, failure)
  runs.onEnded(guarded(look, error => log.error({ err: error }, failure)))

  return {
    create: async (workspaceId: string, principal: Principal, body: NewSchedule): Promise<Schedule> => {
      const { name, cron, time_zone: timeZone, terms, max_monthly_microusd: maxMonthly } = body
      requireCalendar(cron, timeZone, timestamp(clock))
      requireRoom(workspaceId)
      requireSpender(workspaceId, principal.id, terms)
      // Nothing of the quotes is kept but what the schedule freezes; each occurrence is quoted again.
      const { quote } = await groups.prepare(workspaceId, terms)
      const frozen = frozenBy(requireCompatible(quote))
      if (frozen.provider_billed_upper_bound_microusd === null) throw new ApiError('quote_incompatible', unknownRates)
      const now = timestamp(clock)
      return startWork(db, principal.id, workOf(workspaceId, frozen), now, () => {
        requireRoom(workspaceId)
        const id = ids.next()
        insertSchedule(db, {
          id,
          workspaceId,
          name,
          cron,
          timeZone,
          terms,
          frozen,
          maxMonthly,
          nextRunAt: requireCalendar(cron, timeZone, now),
          ownerId: principal.kind === 'session' ? principal.personId : principal.id,
          createdAt: now,
        })
        return view(workspaceId, id)
      })
    },

    list: (workspaceId: string, query: PageQuery) => listSchedules(db, workspaceId, query, timestamp(clock)),

    read: view,

    change: (
      workspaceId: string,
      id: string,
      principal: Principal,
      { name, status, max_monthly_microusd: limit }: ScheduleChanges,
    ): Schedule =>
      db.transaction(() => {
        const row = rowOf(workspaceId, id)
        const now = timestamp(clock)
        const event = status === undefined ? null : eventTo(status)
        if (event !== null && !allows(scheduleMachine, row.status, event)) throw illegalTransition('schedule', row.id, row.status, event)
        const change = (): Schedule => {
          if (name !== undefined) changeSchedule(db, row.no, { name })
          if (limit !== undefined) changeSchedule(db, row.no, { max_monthly_microusd: storedLimit(limit) })
          if (event === null) return view(workspaceId, id)
          changeSchedule(db, row.no, {
            pause_reason: event === 'pause' ? 'person' : null,
            pause_message: null,
            next_run_at: event === 'resume' ? nextOf(row.cron, row.time_zone, now) : null,
          })
          transition(db, scheduleMachine, column, row.id, event, now)
          return view(workspaceId, id)
        }
        const isRaised = limit !== undefined && storedLimit(limit) > row.max_monthly_microusd
        if (event !== 'resume' && !isRaised) return change()
        return startWork(db, principal.id, { ...workOf(workspaceId, frozenOf(row)), payerId: row.owner_id }, now, change)
      }),

    occurrences: (workspaceId: string, id: string, query: PageQuery) => listOccurrences(db, rowOf(workspaceId, id), query),

    /** Monthly limits, with what is used of each. */
    budgets: (workspaceId: string) => {
      const month = monthOf(timestamp(clock))
      return liveSchedules(db, workspaceId).map(({ no, id, name, max_monthly_microusd: limit }) => ({
        subject: `schedule ${id} ${month} ${limit}`,
        limit: BigInt(limit),
        used: spentIn(db, { no, id }, month),
        data: { kind: 'schedule', schedule_id: id, name, month },
      }))
    },

    start: (): void => {
      look()
      looking.start()
    },
    close: async (): Promise<void> => {
      looking.close()
      occurrences.stop()
      await working
    },
  }
}

/** @throws ApiError quote_incompatible naming the first failed check */
function requireCompatible(quote: RunGroupQuote): RunGroupQuote {
  if (quote.compatible) return quote
  const failed = quote.quotes.flatMap(({ compatibility }) => compatibility.checks).find(check => check.status === 'fail')
  throw new ApiError('quote_incompatible', `The terms cannot be run: ${failed?.detail ?? 'see the checks of their quote'}`)
}

function eventTo(status: ScheduleStatus): 'pause' | 'resume' | 'archive' {
  if (status === 'active') return 'resume'
  return status === 'paused' ? 'pause' : 'archive'
}
