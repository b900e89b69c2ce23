import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Retention,
  type RetentionKind,
  retentionKinds,
  type RetentionPreview,
  type RetentionRule,
} from '../../contract/retention/retention.schemas.ts'
import { atIntervals } from '../background.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import {
  addEvent,
  boundaryOf,
  countBefore,
  everyRule,
  keptFacts,
  listEvents,
  readRule,
  readTrustedClock,
  removeBefore,
  writeRule,
  writeTrustedClock,
} from './retention.store.ts'
import { heldUntil, type TrustedClock, trustClock } from './trusted-clock.ts'

const sweepEveryMs = 3_600_000
/** Ended work on the whole machine, such as backups, is kept for so long: no workspace's rule counts for it. */
const machineJobDays = 90
/** Rows of one transaction: some milliseconds. */
const batch = 100

const daysBefore = (at: Date, days: number): string => new Date(at.getTime() - days * 86_400_000).toISOString()

export type RetentionService = ReturnType<typeof createRetention>

/** Removes traces, ended jobs and ended deliveries that are older or more than a workspace keeps. Off until somebody sets a rule; jobs of the whole machine are kept for a time. */
export function createRetention({ db, clock, log, storage }: Pick<Kernel, 'db' | 'clock' | 'log' | 'storage'>) {
  let isClosed = false
  let sweeping: Promise<void> = Promise.resolve()

  const trusted = (): TrustedClock => trustClock(readTrustedClock(db), clock.now())
  const before = (workspaceId: string, kind: RetentionKind, { max_age_days: days, max_items: most }: RetentionRule): string | null => {
    const byAge = days === null ? null : daysBefore(trusted().trustedAt, days)
    const byCount = most === null ? null : boundaryOf(db, kind, workspaceId, most)
    return byAge !== null && byCount !== null && byCount > byAge ? byCount : (byAge ?? byCount)
  }
  const describe = (workspaceId: string, kind: RetentionKind): Retention => ({
    kind,
    ...readRule(db, workspaceId, kind),
    ...keptFacts(db, kind, workspaceId, null),
  })
  const remove = async (workspaceId: string | null, kind: RetentionKind, limit: string): Promise<number> => {
    let items = 0
    for (let removed = batch; removed === batch && !isClosed; await nextTurn()) {
      removed = db.transaction(() => removeBefore(db, kind, workspaceId, limit, batch))
      items += removed
    }
    return items
  }
  const sweepOne = async (workspaceId: string, kind: RetentionKind, rule: RetentionRule): Promise<void> => {
    const limit = before(workspaceId, kind, rule)
    if (limit === null) return
    const items = await remove(workspaceId, kind, limit)
    if (items > 0)
      addEvent(db, { workspace_id: workspaceId, kind, event: 'removed', at: timestamp(clock), by: null, ...rule, items, before: limit })
  }
  const noteClock = (): void => {
    const now = trusted()
    writeTrustedClock(db, now)
    if (now.heldSince !== null)
      log.warn(
        { countedFrom: now.trustedAt, heldSince: now.heldSince },
        'clock is more than 7 days ahead of the last removal; removal by age is paused for a day',
      )
  }
  const sweep = async (): Promise<void> => {
    noteClock()
    for (const { workspace_id: workspaceId, kind, ...rule } of everyRule(db)) if (!isClosed) await sweepOne(workspaceId, kind, rule)
    await remove(null, 'jobs', daysBefore(trusted().trustedAt, machineJobDays))
  }
  /** One at a time; a disk that is full now is tried again in an hour. */
  const sweepSoon = (): void => {
    sweeping = sweeping.then(sweep).catch((error: unknown) => {
      storage.note(error)
      log.warn({ err: error }, 'could not remove what is no longer kept')
    })
  }
  const schedule = atIntervals(log, sweepEveryMs, sweepSoon, 'could not begin to remove what is no longer kept')

  return {
    list: (workspaceId: string) => ({
      items: retentionKinds.map(kind => describe(workspaceId, kind)),
      events: listEvents(db, workspaceId, 100),
      held_until: heldUntil(trusted()),
    }),
    preview: (workspaceId: string, kind: RetentionKind, rule: RetentionRule): RetentionPreview => {
      const limit = before(workspaceId, kind, rule)
      const { items: kept, oldest_at } = keptFacts(db, kind, workspaceId, limit)
      const items = limit === null ? 0 : countBefore(db, kind, workspaceId, limit)
      return { items, kept, oldest_kept_at: oldest_at, held_until: rule.max_age_days === null ? null : heldUntil(trusted()) }
    },
    change: (workspaceId: string, kind: RetentionKind, rule: RetentionRule, by: string): Retention => {
      db.transaction(() => {
        writeRule(db, workspaceId, kind, rule)
        addEvent(db, { workspace_id: workspaceId, kind, event: 'changed', at: timestamp(clock), by, ...rule, items: 0, before: null })
      })
      sweepSoon()
      return describe(workspaceId, kind)
    },
    start: schedule.start,
    close: async () => {
      isClosed = true
      schedule.close()
      await sweeping
    },
  }
}
