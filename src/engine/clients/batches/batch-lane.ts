import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { JsonTransport } from '../http/json-transport.ts'
import type { Reply, ReplyReader } from '../http/read-reply.ts'
import { cancelledFault } from '../http/reply-faults.ts'
import type { Failure } from '../model-client.ts'
import { isBillUnknown } from '../pricing/unknown-bill.ts'
import type { BatchedCall, BatchedResult, BatchProtocol } from './batch-protocol.ts'
import { messageOf } from '../../../lib/message-of.ts'

/** A batch as it is kept, so that a kill loses none. */
interface KeptBatch {
  readonly token: string
  /** Null: its submission was begun, and nothing is known of its end. */
  readonly providerId: string | null
}

/** Batches of one run, durable. */
export interface BatchStore {
  /** The batch that a call is in; null where it is in none. */
  batchOf(item: string): KeptBatch | null
  /** Before the submission. */
  begin(token: string, items: readonly string[]): void
  submitted(token: string, providerId: string): void
  /** Its results were read. */
  ended(token: string): void
  /** It was not submitted: its calls are in no batch. */
  forget(token: string): void
}

export interface BatchSettings {
  readonly store: BatchStore
  /** Aborted when the process closes: batches are left to the provider, and the next start reads them. */
  readonly closing: AbortSignal
}

interface Waiting extends BatchedCall {
  readonly item: string
  readonly sent: Buffer
  readonly settle: (result: Settled) => void
  isSubmitted: boolean
}

type Settled = BatchedResult | { readonly kind: 'failure'; readonly failure: Failure }

/** Calls that wait for a batch, by custom id. */
type Followed = Map<string, Waiting>

/** Calls, and bytes of them, of one batch: below what either provider takes. */
const [mostCalls, mostBytes] = [10_000, 64 * 1024 * 1024]
/** Milliseconds without a further call after which a batch is submitted. */
const quietMs = 1_000
/** Milliseconds before the first look at a batch, and at most between two. */
const [firstLookMs, longestLookMs] = [1_000, 60_000]
/** Milliseconds that submissions and cancellations may take after the run has ended. */
const endingMs = 30_000

/** Collects calls into batches, submits them, and gives each call its own reply when its batch has ended. */
export function createBatchLane(transport: JsonTransport, protocol: BatchProtocol, { store, closing }: BatchSettings) {
  const closed = new AbortController()
  const followed = new Map<string, Followed>()
  /** Submissions and cancellations under way: a batch that is given up while it is submitted must be cancelled. */
  const ending = new Set<Promise<unknown>>()
  let queue: Waiting[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined

  const settleAll = (token: string, result: (call: Waiting) => Settled): void => {
    const found = followed.get(token)
    followed.delete(token)
    for (const call of found?.values() ?? []) call.settle(result(call))
  }
  const fail = (token: string, failure: Failure): void =>
    settleAll(token, ({ sent }) => ({ kind: 'failure', failure: { ...failure, request: failure.request === null ? null : sent } }))

  const track = <T>(work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => ending.delete(settled))
    const settled = tracked.catch(() => undefined)
    ending.add(settled)
    return tracked
  }
  const cancel = (providerId: string): void => {
    void track(protocol.cancel(transport, providerId, closed.signal)).catch(() => undefined)
  }
  /** Whether anybody waits for a batch; one that was given up while it was submitted is cancelled, and billed for what was executed. */
  const isWanted = (token: string, providerId: string): boolean => {
    store.submitted(token, providerId)
    if (followed.has(token)) return true
    store.ended(token)
    cancel(providerId)
    return false
  }
  const follow = async (token: string, providerId: string): Promise<void> => {
    const signal = closed.signal
    for (let pause = firstLookMs; ; pause = Math.min(longestLookMs, pause * 1.5)) {
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined)
      const waiting = followed.get(token)
      if (signal.aborted || !waiting) return
      const state = await protocol.state(transport, providerId, signal)
      if (signal.aborted) return
      if (!state.ok) {
        // An answer that refuses the question is the same tomorrow; anything else passes.
        if (state.httpStatus === 404 || state.httpStatus === 400) {
          store.ended(token)
          const reason = `The batch ${providerId} cannot be read, and its calls may be executed and billed all the same: ${state.message}`
          return settleAll(token, () => ({ kind: 'lost', reason }))
        }
        continue
      }
      if (!state.isOver) continue
      const read =
        state.failure === null
          ? await protocol.results(transport, state, signal)
          : { ok: true as const, items: new Map<string, BatchedResult>() }
      if (signal.aborted) return
      if (!read.ok) continue
      const missing: BatchedResult =
        state.failure !== null || state.isCut
          ? { kind: 'failed', reason: state.failure ?? 'The batch was cut short before this call was executed.' }
          : { kind: 'lost', reason: 'The batch ended without a result for this call, which may be executed and billed all the same.' }
      settleAll(token, ({ customId }) => read.items.get(customId) ?? missing)
      store.ended(token)
      return
    }
  }
  /** The same for a batch of which only the token is known. */
  const recover = async (token: string): Promise<void> => {
    for (let pause = firstLookMs; ; pause = Math.min(longestLookMs, pause * 1.5)) {
      const found = await protocol.find(transport, token, closed.signal)
      if (closed.signal.aborted) return
      if (found.ok && found.id !== null) return isWanted(token, found.id) ? follow(token, found.id) : undefined
      // A provider that cannot be asked at the moment may have it: submitted again, it would be billed twice.
      if (found.ok || isRefusal(found) || !followed.has(token)) break
      await delay(pause, undefined, { signal: closed.signal, ref: false }).catch(() => undefined)
      if (closed.signal.aborted) return
    }
    store.ended(token)
    fail(token, lostSubmission)
  }
  const watch = (token: string, call: Waiting, begin: () => Promise<void>): void => {
    const known = followed.get(token)
    if (known) {
      known.set(call.customId, call)
      return
    }
    followed.set(token, new Map([[call.customId, call]]))
    void begin().catch((error: unknown) => fail(token, { ...lostSubmission, message: messageOf(error) }))
  }

  const submit = async (calls: readonly Waiting[]): Promise<void> => {
    const token = randomUUID()
    store.begin(
      token,
      calls.map(({ item }) => item),
    )
    followed.set(token, new Map(calls.map(call => [call.customId, call])))
    for (const call of calls) call.isSubmitted = true
    const made = await track(
      protocol
        .submit(transport, token, calls, closed.signal)
        .then(reply => (reply.ok ? { ...reply, wanted: isWanted(token, reply.id) } : reply)),
    )
    if (made.ok) return made.wanted ? follow(token, made.id) : undefined
    if (closed.signal.aborted) return
    if (isBillUnknown(made)) return recover(token)
    store.forget(token)
    fail(token, made)
  }
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const calls = queue
    queue = []
    bytes = 0
    if (calls.length === 0) return
    void submit(calls).catch((error: unknown) => {
      const message = `The batch could not be kept: ${messageOf(error)}`
      for (const call of calls) call.settle({ kind: 'failure', failure: { ...lostSubmission, request: null, message } })
    })
  }
  const enqueue = (call: Waiting): void => {
    const kept = store.batchOf(call.item)
    if (kept) {
      call.isSubmitted = true
      const { token, providerId } = kept
      watch(token, call, () => (providerId === null ? recover(token) : follow(token, providerId)))
      return
    }
    queue.push(call)
    bytes += call.sent.length
    if (queue.length >= mostCalls || bytes >= mostBytes) return flush()
    clearTimeout(timer)
    timer = setTimeout(flush, quietMs)
  }
  /** A batch whose calls are all given up is cancelled, unless the next start reads it. */
  const leave = (call: Waiting): void => {
    queue = queue.filter(other => other !== call)
    if (closing.aborted) return
    for (const [token, waiting] of followed) {
      if (waiting.get(call.customId) !== call) continue
      waiting.delete(call.customId)
      if (waiting.size > 0) continue
      followed.delete(token)
      const providerId = store.batchOf(call.item)?.providerId ?? null
      store.ended(token)
      if (providerId !== null) cancel(providerId)
    }
  }
  const wait = (given: Omit<Waiting, 'settle' | 'isSubmitted'>, signal: AbortSignal): Promise<Settled> =>
    new Promise(resolve => {
      const stop = (): void => {
        leave(call)
        const failure: Failure = { ...lostSubmission, ...cancelledFault, request: call.isSubmitted ? call.sent : null }
        resolve({ kind: 'failure', failure })
      }
      const call: Waiting = {
        ...given,
        isSubmitted: false,
        settle: result => {
          signal.removeEventListener('abort', stop)
          resolve(result)
        },
      }
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop, { once: true })
      enqueue(call)
    })

  return {
    /** One call, answered as it would have been by itself. @param item names it within the run, the same after a restart */
    ask: async <Content>(
      { item, path, body }: { readonly item: string; readonly path: string; readonly body: Readonly<Record<string, unknown>> },
      reader: ReplyReader<Content>,
      signal: AbortSignal,
    ): Promise<Reply<Content>> => {
      const began = performance.now()
      const sent = Buffer.from(JSON.stringify(body))
      const result = await wait({ item, customId: customIdOf(item), path, body, sent }, signal)
      const latencyMs = performance.now() - began
      if (result.kind === 'failure') return { ...result.failure, latencyMs }
      if (result.kind === 'lost') return { ...lostSubmission, message: result.reason, request: sent, latencyMs }
      if (result.kind === 'reply') return transport.readItem({ status: result.status, body: result.body, sent, latencyMs }, reader)
      // Answered: the provider says that it bills nothing for it.
      return { ok: false, code: 'provider_failure', message: result.reason, ...answered, request: sent, latencyMs }
    },
    close: async (): Promise<void> => {
      clearTimeout(timer)
      const late = delay(endingMs, true, { signal: closing, ref: false }).catch(() => true)
      // A submission that ends may begin a cancellation.
      for (let isLate = closing.aborted; ending.size > 0 && !isLate; )
        isLate = await Promise.race([Promise.all(ending).then(() => false), late])
      closed.abort()
    },
  }
}

/** An answer that is the same tomorrow. */
function isRefusal({ httpStatus }: Failure): boolean {
  return httpStatus !== null && httpStatus >= 400 && httpStatus < 500 && ![408, 409, 425, 429].includes(httpStatus)
}

/** Letters, digits and dashes, at most 64 characters: what both providers take. */
const customIdOf = (item: string): string => `assay-${item.replaceAll(/[^0-9A-Za-z]/g, '-')}`

const answered = { response: null, httpStatus: 503, retryAfterMs: null } as const

/** Nothing tells whether the provider has the batch. */
const lostSubmission: Failure = {
  ok: false,
  code: 'unreachable',
  message: 'The submission of the batch was cut off, and the provider lists no such batch. It may be executed and billed all the same.',
  request: Buffer.alloc(0),
  response: null,
  httpStatus: null,
  retryAfterMs: null,
  latencyMs: 0,
}
