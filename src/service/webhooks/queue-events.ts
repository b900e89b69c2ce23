import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { isTerminal } from '../../contract/machine.ts'
import type { GroupedRun } from '../../contract/run-groups/run-groups.schemas.ts'
import { runMachine, type RunStatus } from '../../contract/runs/run.machine.ts'
import { webhookDeliveryMachine } from '../../contract/webhooks/webhook.machine.ts'
import { budgetShare, type WebhookEvent } from '../../contract/webhooks/webhooks.schemas.ts'
import { readSetting, writeSetting } from '../../storage/settings.ts'
import { transition } from '../../storage/transition.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { meterOf, spendingOf } from '../keys/index.ts'
import {
  type Change,
  changesAfter,
  decisionOf,
  deliveryColumn,
  forgetOldestDead,
  hasWebhooks,
  insertDelivery,
  lastChange,
  occurrenceOf,
  oldestPending,
  recordTry,
  runOf,
  scheduleOf,
  tellOnce,
  webhooksFor,
} from './webhooks.store.ts'

/** A limit and how much of it is used, in micro-USD. */
export interface Budget {
  /** Names the limit, its period and its amount: what is told once. */
  readonly subject: string
  readonly limit: bigint
  readonly used: bigint
  readonly data: Readonly<Record<string, unknown>>
}

export interface EventSources {
  /** Primary metric of each profile of a run. */
  readonly scores: (workspaceId: string, runId: string) => GroupedRun['scores']
  /** Monthly limits that a run of a schedule counts toward. */
  readonly budgets: readonly ((workspaceId: string) => readonly Budget[])[]
}

interface Told {
  readonly workspaceId: string
  readonly event: WebhookEvent
  /** Asked for where a webhook wants the event. */
  readonly data: () => Readonly<Record<string, unknown>>
}

/** Where in `transitions` the events were last read to. */
const setting = 'webhooks_read_to'
const Place = z.int().min(0)
/** Changes of one transaction, and deliveries after which it takes no further change: the service answers others between two. */
const [mostChanges, mostDeliveries] = [500, 500]
/** Deliveries of a webhook that wait, and dead ones that are kept. */
const mostPending = 5_000
export const mostDead = 1_000

/** Queues a delivery for every event since the last look, in transactions with the place that was read to. */
export function createEventQueue({ db, clock, ids }: Pick<Kernel, 'db' | 'clock' | 'ids'>, sources: EventSources) {
  /** Of this transaction: deliveries, and the webhooks that they are of. */
  let made = 0
  let queued = new Set<string>()
  /** Of this transaction: ids of webhooks that want an event of a workspace. */
  let wanting = new Map<string, readonly string[]>()

  const whoWants = (workspaceId: string, event: WebhookEvent): readonly string[] => {
    const key = `${workspaceId} ${event}`
    const known = wanting.get(key) ?? webhooksFor(db, workspaceId, event).map(({ id }) => id)
    wanting.set(key, known)
    return known
  }
  const queue = ({ workspaceId, event, data }: Told, at: string): void => {
    const wanted = whoWants(workspaceId, event)
    if (wanted.length === 0) return
    const told = { workspace_id: workspaceId, ...data() }
    for (const id of wanted) {
      made++
      queued.add(id)
      insertDelivery(db, {
        id: ids.next(),
        webhookId: id,
        event,
        payload: { type: event, timestamp: at, data: told },
        at: timestamp(clock),
      })
    }
  }
  /** An address that answers nothing for days fills no disk. */
  const dropOldest = (webhookId: string): void => {
    const at = timestamp(clock)
    const message = `More than ${mostPending} deliveries waited for this address, so the oldest were given up.`
    const dropped = oldestPending(db, webhookId, mostPending)
    for (const { id, tries, http_status } of dropped) {
      transition(db, webhookDeliveryMachine, deliveryColumn, id, 'give_up', at, message)
      recordTry(db, id, { tries, http_status, message, next_try_at: null, finished_at: at })
    }
    if (dropped.length > 0) forgetOldestDead(db, webhookId, mostDead)
  }
  const budgetsOf = (workspaceId: string, principalId: string): readonly Budget[] => {
    const meter = meterOf(db, principalId)
    const spending = meter && spendingOf(db, meter.id)
    const ofKey = (['wallet', 'provider'] as const).flatMap(purse => {
      const limit = meter?.ceilings[purse]
      if (!meter || !spending || limit === null || limit === undefined) return []
      const { spent, held } = spending[purse]
      return [{ subject: `key ${meter.id} ${purse} ${limit}`, limit, used: spent + held, data: { kind: 'key', key_id: meter.id, purse } }]
    })
    return [...ofKey, ...sources.budgets.flatMap(budgetsOf => budgetsOf(workspaceId))]
  }
  const tellBudgets = (workspaceId: string, principalId: string, at: string): void => {
    if (whoWants(workspaceId, 'budget.reached').length === 0) return
    for (const { subject, limit, used, data } of budgetsOf(workspaceId, principalId)) {
      if (limit === 0n || Number(used) < Number(limit) * budgetShare || !tellOnce(db, workspaceId, subject, at)) continue
      const figures = { ...data, limit_microusd: String(limit), used_microusd: String(used) }
      queue({ workspaceId, event: 'budget.reached', data: () => figures }, at)
    }
  }

  const tell = ({ resource, resource_id: id, to_state: state, at }: Change): void => {
    if (resource === runMachine.resource && isEnd(state)) {
      const run = runOf(db, id)
      if (!run) return
      const { workspace_id: workspaceId, name, result_version: version, stop_code: code, stop_message: message } = run
      const stop_reason = code === null ? null : { code, message: message ?? '' }
      const scores = () => (version === null ? [] : sources.scores(workspaceId, id))
      const data = () => ({ run_id: id, name, status: state, stop_reason, result_version: version, scores: scores() })
      queue({ workspaceId, event: 'run.ended', data }, at)
      return tellBudgets(workspaceId, run.principal_id, at)
    }
    if (resource === 'decision' && state === 'awaiting_human') {
      const found = decisionOf(db, id)
      if (!found) return
      const data = () => ({ decision_id: id, name: found.name })
      return queue({ workspaceId: found.workspace_id, event: 'verdict.needed', data }, at)
    }
    if (resource === 'occurrence' && state === 'complete') {
      const found = occurrenceOf(db, id)
      if (found?.verdict !== 'regression') return
      const { monitor_id, name, reason, run_id, workspace_id: workspaceId } = found
      return queue({ workspaceId, event: 'monitor.alarm', data: () => ({ monitor_id, occurrence_id: id, name, reason, run_id }) }, at)
    }
    if (resource === 'schedule' && state === 'paused') {
      const found = scheduleOf(db, id)
      if (!found || found.pause_reason === null || found.pause_reason === 'person') return
      const { name, pause_reason: reason, pause_message: message, workspace_id: workspaceId } = found
      queue({ workspaceId, event: 'schedule.paused', data: () => ({ schedule_id: id, name, reason, message }) }, at)
    }
  }

  /** @returns whether there is more */
  const queueSome = (): boolean => {
    if (!hasWebhooks(db)) return false
    const changes = changesAfter(db, Place.parse(readSetting(db, setting)), mostChanges)
    if (changes.length === 0) return false
    return db.transaction(() => {
      ;[made, queued, wanting] = [0, new Set(), new Map()]
      let last = 0
      for (const change of changes) {
        tell(change)
        last = change.no
        if (made >= mostDeliveries) break
      }
      for (const id of queued) dropOldest(id)
      writeSetting(db, setting, last)
      return made >= mostDeliveries || changes.length === mostChanges
    })
  }
  return {
    queueSome,
    /** Before a webhook is registered or enabled: what has happened until now is for those that are there. */
    begin: async (): Promise<void> => {
      if (!hasWebhooks(db)) return writeSetting(db, setting, lastChange(db))
      while (queueSome()) await turn()
    },
  }
}

function isEnd(state: string): state is RunStatus {
  return runMachine.states.some(known => known === state) && isTerminal(runMachine, state as RunStatus)
}
