import { setTimeout as delay } from 'node:timers/promises'
import type { WorkerEndpoint } from '../../contract/workers/worker-calls.schemas.ts'
import type { WorkerOutcome } from '../../contract/workers/workers.schemas.ts'
import type { CallNote, CallOutcome, Failure, ModelClient, ModelRequest } from '../../engine/clients/model-client.ts'
import { boundOf, promptTokensAtMost, type TokenRates } from '../../engine/clients/pricing/pricing.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { UndeliverableError } from './batches.ts'
import { decodeOutcome } from './call-outcome.ts'
import type { BatchContent } from './hold-limit.ts'

/** Milliseconds that a worker has to end a call that is no longer wanted; then its lease has lapsed as well. */
const abortPatienceMs = 15_000
const picoPerMicro = 1_000_000n

/** One call that is with a worker, or waits for one. */
export interface SentCall {
  /** @throws UndeliverableError */
  readonly outcome: Promise<WorkerOutcome>
  /** Takes the call back; false where a worker has it, which is then told to end it. */
  recall(): boolean
  /** Waits no longer for the worker. */
  giveUp(): void
}

/** Sends a call to a worker; null where none takes it. */
export type SendCall = (content: BatchContent) => SentCall | null

/**
 * A client whose calls are made by workers that take the connection's label, and by `local` while there are none. A call that a worker
 * has begun is never repeated here: the run's own retries decide.
 */
export function createRemoteClient(send: SendCall, endpoint: WorkerEndpoint, local: ModelClient, rates: TokenRates | null): ModelClient {
  return {
    ...(local.reach ? { reach: local.reach.bind(local) } : {}),
    ...(local.fileTokens ? { fileTokens: local.fileTokens.bind(local) } : {}),
    ...(local.loglikelihood ? { loglikelihood: local.loglikelihood.bind(local) } : {}),
    call: async (request, options) => {
      const sent = send({ kind: 'call', endpoint, request: toWire(request) })
      if (!sent) return local.call(request, options)
      const began = performance.now()
      try {
        const outcome = await untilAborted(sent, options.signal)
        if (outcome === null) return cancelled(null, began)
        if (outcome.kind !== 'call') throw new Error(`A worker answered a call with "${outcome.kind}".`)
        const call = withinReserve(request, decodeOutcome(outcome.call), rates)
        // Only a worker that lost its lease ends a call that is still wanted.
        const isOver = !call.ok && call.code === 'cancelled' && !options.signal.aborted
        return isOver ? { ...call, code: 'worker_lost', message: lostMessage('It lost its lease.') } : call
      } catch (error) {
        if (!(error instanceof UndeliverableError)) throw error
        if (!error.wasTaken) return local.call(request, options)
        return options.signal.aborted ? cancelled(new Uint8Array(), began) : lost(error, began)
      }
    },
    probe: async options => {
      const sent = send({ kind: 'probe', endpoint })
      if (!sent) return local.probe(options)
      try {
        const outcome = await untilAborted(sent, options.signal)
        return outcome?.kind === 'probe' ? outcome.fault : { code: 'cancelled', message: 'The probe was cancelled.' }
      } catch (error) {
        if (error instanceof UndeliverableError) return local.probe(options)
        throw error
      }
    },
    close: () => local.close(),
  }
}

/** Null when it was taken back before a worker had it. A worker that has it ends it and reports the outcome. */
async function untilAborted(sent: SentCall, signal: AbortSignal): Promise<WorkerOutcome | null> {
  const recalled = Promise.withResolvers<null>()
  const done = new AbortController()
  const abort = () => {
    if (sent.recall()) recalled.resolve(null)
    else
      void delay(abortPatienceMs, undefined, { signal: done.signal, ref: false }).then(
        () => sent.giveUp(),
        () => undefined,
      )
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([sent.outcome, recalled.promise])
  } finally {
    signal.removeEventListener('abort', abort)
    done.abort()
  }
}

/**
 * A worker counts no more than its call was reserved, neither tokens nor money: the provider's own words are in the response, and the
 * run's limit has to hold.
 */
function withinReserve(request: ModelRequest, outcome: CallOutcome, rates: TokenRates | null): CallOutcome {
  return withinMoney(request, withinTokens(request, outcome), rates)
}

/** Where the rates are not known: above those of the dearest model (USD 600 for a million tokens of output in 2025), and a fee for each call. */
const highestRates: TokenRates = { inputMicroUsdPerMillion: 1_000_000_000n, outputMicroUsdPerMillion: 1_000_000_000n }
const highestFeeMicroUsd = 1_000_000n

function withinMoney(request: ModelRequest, outcome: CallOutcome, rates: TokenRates | null): CallOutcome {
  const { statedPicoUsd } = outcome
  if (statedPicoUsd === undefined) return outcome
  const tokens = { inputTokens: promptTokensAtMost(request), outputTokens: request.maxOutputTokens }
  const atMost = boundOf(tokens, rates ?? highestRates) + (rates === null ? highestFeeMicroUsd : 0n)
  if (BigInt(statedPicoUsd) <= atMost * picoPerMicro) return outcome
  const note: CallNote = {
    code: 'usage_ignored',
    message: `The worker stated a cost of ${formatUsd(String(BigInt(statedPicoUsd) / picoPerMicro))}, more than this call can cost; ${formatUsd(String(atMost))} is used.`,
  }
  return { ...outcome, statedPicoUsd: Number(atMost * picoPerMicro), notes: [...(outcome.notes ?? []), note] }
}

function withinTokens(request: ModelRequest, outcome: CallOutcome): CallOutcome {
  const { usage } = outcome
  if (!usage) return outcome
  const inputTokens = Math.min(usage.inputTokens, promptTokensAtMost(request))
  const outputTokens = Math.min(usage.outputTokens, request.maxOutputTokens)
  if (inputTokens === usage.inputTokens && outputTokens === usage.outputTokens) return outcome
  const note: CallNote = {
    code: 'usage_ignored',
    message: `The worker counted ${usage.inputTokens} input and ${usage.outputTokens} output tokens, more than this call can have; ${inputTokens} and ${outputTokens} are used.`,
  }
  return { ...outcome, usage: { inputTokens, outputTokens }, notes: [...(outcome.notes ?? []), note] }
}

/** @param request null where nothing can have been sent */
function cancelled(request: Uint8Array | null, began: number): Failure {
  return failure('cancelled', 'The call was cancelled.', request, began)
}

function lost({ message }: UndeliverableError, began: number): CallOutcome {
  return failure('worker_lost', lostMessage(message), null, began)
}

function lostMessage(reason: string): string {
  return `The worker that made this call stopped responding. ${reason} The provider may bill it.`
}

function failure(code: Failure['code'], message: string, request: Uint8Array | null, began: number): Failure {
  return { ok: false, code, message, request, response: null, httpStatus: null, retryAfterMs: null, latencyMs: performance.now() - began }
}

function toWire({ messages, tools, stop, ...rest }: ModelRequest): Extract<BatchContent, { kind: 'call' }>['request'] {
  return {
    ...rest,
    stop: [...stop],
    messages: messages.map(turn => ('toolCalls' in turn ? { ...turn, toolCalls: turn.toolCalls.map(call => ({ ...call })) } : { ...turn })),
    ...(tools && {
      tools: tools.map(tool => ({
        ...tool,
        parameters: tool.parameters.map(({ values, ...parameter }) => ({ ...parameter, ...(values && { values: [...values] }) })),
      })),
    }),
  }
}
