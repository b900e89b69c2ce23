import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { ApiError, requireFound } from '../../contract/errors.ts'
import { illegalTransition } from '../../contract/machine.ts'
import { webhookDeliveryMachine, type WebhookDeliveryStatus, webhookMachine } from '../../contract/webhooks/webhook.machine.ts'
import {
  eventScopes,
  type NewWebhook,
  type Webhook,
  type WebhookChanges,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookWithSecret,
} from '../../contract/webhooks/webhooks.schemas.ts'
import { newSigningSecret } from '../../engine/clients/remote-scorers/sign-request.ts'
import { sendWebhook, type WebhookTry } from '../../engine/clients/webhooks/send-webhook.ts'
import { guarded } from '../../lib/guarded.ts'
import { messageOf } from '../../lib/message-of.ts'
import { transition } from '../../storage/transition.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { atIntervals } from '../background.ts'
import { scopesIn } from '../auth/index.ts'
import type { Asker } from '../http/handler.ts'
import type { SecretPlace } from '../host.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { sealSecret, unsealSecret } from '../sealed-secret.ts'
import { assertOutgoingUrl, type NetworkLog, outgoingAddressPolicy } from '../network/index.ts'
import { requireFewer } from '../require-fewer.ts'
import type { Runs } from '../runs/index.ts'
import { isEntitled } from '../spending/index.ts'
import { createEventQueue, type EventSources, mostDead } from './queue-events.ts'
import {
  type DeliveryRow,
  countWebhooks,
  deliveryColumn,
  dueDeliveries,
  dueWebhooks,
  findDelivery,
  findWebhook,
  forgetEnded,
  forgetOldestDead,
  insertDelivery,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  ownedWebhooks,
  recordTry,
  removeWebhook,
  toDelivery,
  toWebhook,
  updateWebhook,
  webhookOf,
  type WebhookRow,
  waits,
} from './webhooks.store.ts'

/** A person outlives the session. */
const ownerOf = ({ principal }: Asker): string => (principal.kind === 'session' ? principal.personId : principal.id)

/** Other events would show the address what the caller may not read. */
function requireEvents({ principal, workspace }: Asker, events: readonly WebhookEvent[]): void {
  const held = scopesIn(principal, workspace)
  const hidden = events.find(event => !held.includes(eventScopes[event]))
  if (hidden === undefined) return
  throw new ApiError(
    'missing_scope',
    `"${principal.name}" lacks the scope ${eventScopes[hidden]}, which the event ${hidden} needs. Leave the event out of \`events\`, or use a key with the scope.`,
  )
}

const Secret = z.strictObject({ current: z.string(), old: z.string().nullable() })
type Secret = z.infer<typeof Secret>

const column = { table: 'webhooks', column: 'status' } as const

/** How long a secret that was replaced still signs. */
const rotationMs = 24 * 3_600_000
/** Between looks for events and for deliveries that are due. */
const lookMs = 5_000
/** Deliveries of a webhook in one look, and of them at a time: one that answers slowly delays its own alone. */
const [mostOfALook, mostAtOnce] = [100, 4]
/** Webhooks that are sent to at a time. */
const mostSending = 100
/** Of a workspace: each event is sent to all of them. */
const mostWebhooks = 50
/** Deliveries that ended are forgotten after it. */
const keptMs = 30 * 86_400_000
const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** Before each further try, as Standard Webhooks recommends; after the last one the delivery is dead. */
const retryPauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour] as const

export type Webhooks = ReturnType<typeof createWebhooks>

interface WebhooksDependencies extends Pick<EventSources, 'budgets'> {
  readonly network: NetworkLog
  readonly runs: Pick<Runs, 'onEnded' | 'read' | 'scores'>
}

/** Tells other programs what has happened: events are queued from stored changes of states, so that a kill loses none. */
export function createWebhooks(kernel: Kernel, { network, runs, budgets }: WebhooksDependencies) {
  const { db, clock, ids, host, log } = kernel
  const events = createEventQueue(kernel, { scores: (workspaceId, id) => runs.scores(workspaceId, runs.read(workspaceId, id)), budgets })
  const closing = new AbortController()
  /** By webhook. */
  const sending = new Map<string, Promise<void>>()
  const ownOrigin = () => `http://127.0.0.1:${kernel.accessPolicy().port}`

  const rowOf = (workspaceId: string, id: string): WebhookRow => requireFound(findWebhook(db, workspaceId, id), 'webhook', id)
  const placeOf = ({ workspace_id: workspaceId, id, url }: Pick<WebhookRow, 'workspace_id' | 'id' | 'url'>): SecretPlace => ({
    workspaceId,
    table: 'webhooks',
    rowId: id,
    origin: new URL(url).origin,
  })
  const seal = (secret: Secret, place: SecretPlace) => sealSecret(host.secrets, 'Signing secrets', secret, place)
  const unseal = (row: WebhookRow): Promise<Secret> =>
    unsealSecret(
      host.secrets,
      row.secret,
      placeOf(row),
      Secret,
      `The signing secret of "${row.name}" can't be decrypted: it was stored on another machine or for another address. Rotate the secret.`,
    )
  const requireRoom = (workspaceId: string): void =>
    requireFewer(countWebhooks(db, workspaceId), mostWebhooks, 'webhooks', 'Delete one that is not needed.')
  const view = (workspaceId: string, id: string): Webhook => toWebhook(db, rowOf(workspaceId, id))

  const tryOnce = async (
    row: WebhookRow,
    { id, payload }: Pick<DeliveryRow, 'id' | 'payload'>,
    signal: AbortSignal,
  ): Promise<WebhookTry> => {
    const { current, old } = await unseal(row)
    const oldSigns = old !== null && row.old_secret_until !== null && timestamp(clock) < row.old_secret_until
    const url = new URL(row.url)
    return sendWebhook({
      url,
      id,
      body: payload,
      secrets: oldSigns ? [current, old] : [current],
      addressPolicy: outgoingAddressPolicy(url, {
        allowPrivate: row.allow_private === 1,
        ownOrigin: ownOrigin(),
        uses: 'webhooks',
        proxies: network.proxies(),
      }),
      now: () => clock.now().getTime(),
      traffic: network.meterFor(row.workspace_id),
      signal,
    })
  }
  /** In a transaction. */
  const disable = (row: WebhookRow, reason: string): void => {
    const now = timestamp(clock)
    transition(db, webhookMachine, column, row.id, 'disable', now, reason)
    updateWebhook(db, { ...row, disabled_reason: reason, updated_at: now })
  }
  /** @param isLast no further try follows */
  const conclude = (
    row: WebhookRow,
    before: DeliveryRow,
    { httpStatus, problem, isGone, retryAfterMs }: WebhookTry,
    isLast: boolean,
  ): void =>
    db.transaction(() => {
      if (!waits(db, before)) return
      const now = timestamp(clock)
      const pause = retryPauses[before.tries]
      const isOver = problem === null || isGone || isLast || pause === undefined
      if (isOver) transition(db, webhookDeliveryMachine, deliveryColumn, before.id, problem === null ? 'deliver' : 'give_up', now, problem)
      recordTry(db, before.id, {
        tries: before.tries + 1,
        next_try_at: isOver ? null : new Date(clock.now().getTime() + Math.max(pause, retryAfterMs ?? 0)).toISOString(),
        http_status: httpStatus,
        message: problem,
        finished_at: isOver ? now : null,
      })
      if (isOver && problem !== null) forgetOldestDead(db, row.id, mostDead)
      if (!isGone || webhookOf(db, row.id)?.status !== 'active') return
      disable(rowOf(row.workspace_id, row.id), 'The address says that it is gone (HTTP 410).')
    })

  const deliver = async (delivery: DeliveryRow): Promise<void> => {
    const row = webhookOf(db, delivery.webhook_id)
    if (row?.status !== 'active' || !waits(db, delivery)) return
    const outcome = await tryOnce(row, delivery, closing.signal).catch(
      (error: unknown): WebhookTry => ({
        httpStatus: null,
        problem: messageOf(error),
        isGone: false,
        retryAfterMs: null,
      }),
    )
    // A try that the service cut off is made again at the next start.
    if (!closing.signal.aborted) kernel.storage.attempt(() => conclude(row, delivery, outcome, false))
  }
  const sendTo = async (row: WebhookRow): Promise<void> => {
    const due = dueDeliveries(db, row.id, timestamp(clock), mostOfALook)
    for (let from = 0; from < due.length && !closing.signal.aborted; from += mostAtOnce)
      await Promise.all(due.slice(from, from + mostAtOnce).map(deliver))
  }
  const sendDue = (): void => {
    // What cannot be recorded would be sent again and again.
    if (!['ok', 'low'].includes(kernel.storage.read().state)) return
    const free = dueWebhooks(db, timestamp(clock), mostSending + sending.size).filter(({ id }) => !sending.has(id))
    for (const row of free.slice(0, mostSending - sending.size)) {
      const sent = sendTo(row)
        .catch((error: unknown) => log.error({ err: error }, 'sending webhooks failed'))
        .finally(() => sending.delete(row.id))
      sending.set(row.id, sent)
    }
  }
  /** A key that has ended, or a person who has left, receives no more events. */
  const disableAbandoned = (): void => {
    for (const row of ownedWebhooks(db))
      if (!isEntitled(db, row.workspace_id, row.owner_id, timestamp(clock)))
        db.transaction(() => disable(row, 'Who registered it has left the workspace, or its key has ended. Enable it to take it over.'))
  }
  const continueNext = (): void => {
    isMidway = true
    const next = () => {
      isMidway = false
      look()
    }
    setImmediate(guarded(next, failed))
  }
  const failed = (error: unknown): void => log.error({ err: error }, 'queueing webhook events failed')
  let isMidway = false
  /** Queues what has happened, a slice in each turn, and sends what is due. */
  const look = (): void => {
    if (isMidway || closing.signal.aborted) return
    kernel.storage.attempt(() => {
      disableAbandoned()
      if (events.queueSome()) continueNext()
      forgetEnded(db, new Date(clock.now().getTime() - keptMs).toISOString())
    })
    if (!closing.signal.aborted) sendDue()
  }
  const looking = atIntervals(log, lookMs, look, 'queueing webhook events failed')
  // At once, beside the usual interval.
  runs.onEnded(guarded(look, failed))

  return {
    create: async (
      registrant: Asker,
      { name, url, events: wanted, allow_private: allowPrivate }: NewWebhook,
    ): Promise<WebhookWithSecret> => {
      assertOutgoingUrl(url, allowPrivate, registrant, ownOrigin())
      requireEvents(registrant, wanted)
      const workspaceId = registrant.workspace.id
      requireRoom(workspaceId)
      const current = newSigningSecret()
      const now = timestamp(clock)
      const id = ids.next()
      const secret = await seal({ current, old: null }, placeOf({ workspace_id: workspaceId, id, url }))
      // What happened before it was registered is not told.
      await events.begin()
      requireRoom(workspaceId)
      insertWebhook(db, {
        id,
        workspace_id: workspaceId,
        name,
        url,
        events: JSON.stringify([...new Set(wanted)]),
        allow_private: allowPrivate ? 1 : 0,
        status: 'active',
        disabled_reason: null,
        secret,
        old_secret_until: null,
        owner_id: ownerOf(registrant),
        created_at: now,
        updated_at: now,
      })
      return { ...view(workspaceId, id), signing_secret: current }
    },

    list: (workspaceId: string, query: PageQuery) => listWebhooks(db, workspaceId, query),

    change: async function change(registrant: Asker, id: string, changes: WebhookChanges): Promise<Webhook> {
      const { status, events: wanted, ...given } = changes
      const workspaceId = registrant.workspace.id
      const before = rowOf(workspaceId, id)
      const url = given.url ?? before.url
      const allowPrivate = given.allow_private ?? before.allow_private === 1
      const isTakenOver = given.url !== undefined || given.allow_private !== undefined || status === 'active'
      if (isTakenOver) assertOutgoingUrl(url, allowPrivate, registrant, ownOrigin())
      if (isTakenOver || wanted) requireEvents(registrant, wanted ?? view(workspaceId, id).events)
      const isMoved = new URL(url).origin !== new URL(before.url).origin
      const secret = isMoved ? await seal(await unseal(before), placeOf({ ...before, url })) : before.secret
      if (status !== undefined) await events.begin()
      const changed = db.transaction(() => {
        // Changed by another request while this one waited: it is judged again.
        if (!isDeepStrictEqual(rowOf(workspaceId, id), before)) return null
        const now = timestamp(clock)
        const event = status === 'disabled' ? 'disable' : 'enable'
        const isChanged = status !== undefined && status !== rowOf(workspaceId, id).status
        if (isChanged) {
          events.queueSome()
          transition(db, webhookMachine, column, before.id, event, now)
        }
        const disabledReason = isChanged ? (status === 'disabled' ? 'Disabled by a user.' : null) : before.disabled_reason
        updateWebhook(db, {
          ...before,
          name: given.name ?? before.name,
          url,
          events: wanted ? JSON.stringify([...new Set(wanted)]) : before.events,
          allow_private: allowPrivate ? 1 : 0,
          secret,
          owner_id: isTakenOver ? ownerOf(registrant) : before.owner_id,
          disabled_reason: disabledReason,
          updated_at: now,
        })
        return view(workspaceId, id)
      })
      return changed ?? change(registrant, id, changes)
    },

    remove: (workspaceId: string, id: string): { ok: true } => {
      const { id: found } = rowOf(workspaceId, id)
      db.transaction(() => removeWebhook(db, found))
      return { ok: true }
    },

    test: async (workspaceId: string, id: string, signal: AbortSignal): Promise<WebhookDelivery> => {
      const row = rowOf(workspaceId, id)
      if (row.status !== 'active') throw illegalTransition('webhook', row.id, row.status, 'test')
      await unseal(row)
      const now = timestamp(clock)
      const deliveryId = ids.next()
      const payload = { type: 'webhook.test', timestamp: now, data: { workspace_id: workspaceId, webhook_id: row.id } }
      const delivery = db.transaction(() => {
        insertDelivery(db, { id: deliveryId, webhookId: row.id, event: 'webhook.test', payload, at: now })
        // Not due, so that only this request sends it.
        recordTry(db, deliveryId, { tries: 0, next_try_at: null, http_status: null, message: null, finished_at: null })
        return findDelivery(db, row.id, deliveryId)
      })
      if (!delivery) throw new Error('The test delivery was stored and is missing.')
      conclude(row, delivery, await tryOnce(row, delivery, AbortSignal.any([signal, closing.signal])), true)
      const sent = requireFound(findDelivery(db, row.id, deliveryId), 'webhook', id)
      return toDelivery(sent)
    },

    rotate: async (workspaceId: string, id: string): Promise<WebhookWithSecret> => {
      const row = rowOf(workspaceId, id)
      // A secret that can't be decrypted is replaced all the same.
      const old = await unseal(row).then(
        plain => plain.current,
        () => null,
      )
      const current = newSigningSecret()
      const secret = await seal({ current, old }, placeOf(row))
      const until = old === null ? null : new Date(clock.now().getTime() + rotationMs).toISOString()
      db.transaction(() => updateWebhook(db, { ...rowOf(workspaceId, id), secret, old_secret_until: until, updated_at: timestamp(clock) }))
      return { ...view(workspaceId, id), signing_secret: current }
    },

    deliveries: (workspaceId: string, id: string, query: PageQuery & { readonly status?: WebhookDeliveryStatus | undefined }) =>
      listDeliveries(db, rowOf(workspaceId, id).id, query),

    retry: (workspaceId: string, id: string, deliveryId: string): WebhookDelivery => {
      const row = rowOf(workspaceId, id)
      const found = db.transaction(() => {
        const before = requireFound(findDelivery(db, row.id, deliveryId), 'webhook delivery', deliveryId)
        const now = timestamp(clock)
        transition(db, webhookDeliveryMachine, deliveryColumn, before.id, 'retry', now)
        recordTry(db, before.id, {
          tries: 0,
          next_try_at: now,
          http_status: before.http_status,
          message: before.message,
          finished_at: null,
        })
        return findDelivery(db, row.id, before.id)
      })
      db.afterCommit(look)
      return toDelivery(requireFound(found, 'webhook delivery', deliveryId))
    },

    start: (): void => {
      look()
      looking.start()
    },
    close: async (): Promise<void> => {
      looking.close()
      closing.abort()
      await Promise.all(sending.values())
    },
  }
}
