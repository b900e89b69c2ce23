import { z } from 'zod'
import { isTerminal } from '../../contract/machine.ts'
import type { GroupedRun } from '../../contract/run-groups/run-groups.schemas.ts'
import { runMachine, type RunStatus } from '../../contract/runs/run.machine.ts'
import { budgetShare, type WebhookEvent } from '../../contract/webhooks/webhooks.schemas.ts'
import { readSetting, writeSetting } from '../../storage/settings.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { meterOf, spendingOf } from '../keys/index.ts'
import {
  type Change,
  changesAfter,
  decisionOf,
  hasWebhooks,
  insertDelivery,
  lastChange,
  occurrenceOf,
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
  readonly scheduleBudgets: (workspaceId: string) => readonly Budget[]
  readonly monitorBudgets: (workspaceId: string) => readonly Budget[]
}

interface Told {
  readonly workspaceId: string
  readonly event: WebhookEvent
  readonly data: Readonly<Record<string, unknown>>
}

/** Where in `transitions` the events were last read to. */
const setting = 'webhooks_read_to'
const Place = z.int().min(0)
/** Changes of one transaction. */
const mostChanges = 500

/** Queues a delivery for every event since the last look, in one transaction with the place that was read to. */
export function createEventQueue(kernel: Kernel, sources: EventSources) {
  const { db, clock, ids } = kernel

  const queue = ({ workspaceId, event, data }: Told, at: string): void => {
    for (const { id } of webhooksFor(db, workspaceId, event))
      insertDelivery(db, {
        id: ids.next(),
        webhookId: id,
        event,
        payload: { type: event, timestamp: at, data: { workspace_id: workspaceId, ...data } },
        at: timestamp(clock),
      })
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
    return [...ofKey, ...sources.scheduleBudgets(workspaceId), ...sources.monitorBudgets(workspaceId)]
  }
  const tellBudgets = (workspaceId: string, principalId: string, at: string): void => {
    for (const { subject, limit, used, data } of budgetsOf(workspaceId, principalId)) {
      if (limit === 0n || Number(used) < Number(limit) * budgetShare || !tellOnce(db, workspaceId, subject, at)) continue
      const figures = { ...data, limit_microusd: String(limit), used_microusd: String(used) }
      queue({ workspaceId, event: 'budget.reached', data: figures }, at)
    }
  }

  const tell = ({ resource, resource_id: id, to_state: state, at }: Change): void => {
    if (resource === runMachine.resource && isEnd(state)) {
      const run = runOf(db, id)
      if (!run) return
      const { workspace_id: workspaceId, name, result_version: version } = run
      const scores = version === null ? [] : sources.scores(workspaceId, id)
      queue({ workspaceId, event: 'run.ended', data: { run_id: id, name, status: state, result_version: version, scores } }, at)
      return tellBudgets(workspaceId, run.principal_id, at)
    }
    if (resource === 'decision' && state === 'awaiting_human') {
      const found = decisionOf(db, id)
      if (found) queue({ workspaceId: found.workspace_id, event: 'verdict.needed', data: { decision_id: id, name: found.name } }, at)
      return
    }
    if (resource === 'occurrence' && state === 'complete') {
      const found = occurrenceOf(db, id)
      if (found?.verdict !== 'regression') return
      const { monitor_id, name, reason, run_id, workspace_id: workspaceId } = found
      return queue({ workspaceId, event: 'monitor.alarm', data: { monitor_id, occurrence_id: id, name, reason, run_id } }, at)
    }
    if (resource === 'schedule' && state === 'paused') {
      const found = scheduleOf(db, id)
      if (!found || found.pause_reason === null || found.pause_reason === 'person') return
      const { name, pause_reason: reason, pause_message: message, workspace_id: workspaceId } = found
      queue({ workspaceId, event: 'schedule.paused', data: { schedule_id: id, name, reason, message } }, at)
    }
  }

  const queueAll = (): void => {
    if (!hasWebhooks(db)) return
    for (let from = Place.parse(readSetting(db, setting)); ; ) {
      const changes = changesAfter(db, from, mostChanges)
      const last = changes.at(-1)
      if (!last) return
      db.transaction(() => {
        changes.forEach(tell)
        writeSetting(db, setting, last.no)
      })
      from = last.no
    }
  }
  return {
    queue: queueAll,
    /** Before a webhook is registered: what has happened until now is for those that are there. */
    begin: (): void => {
      if (hasWebhooks(db)) queueAll()
      else writeSetting(db, setting, lastChange(db))
    },
  }
}

function isEnd(state: string): state is RunStatus {
  return runMachine.states.some(known => known === state) && isTerminal(runMachine, state as RunStatus)
}
