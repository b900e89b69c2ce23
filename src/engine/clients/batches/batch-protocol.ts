import type { ConnectionProtocol } from '../../../contract/connections/connections.schemas.ts'
import type { JsonTransport } from '../http/json-transport.ts'
import type { Failure } from '../model-client.ts'
import { anthropicBatches } from './anthropic-batches.ts'
import { openAiBatches } from './openai-batches.ts'

/** One call of a batch, in the provider's own form. */
export interface BatchedCall {
  /** Names it in the batch and in its results. */
  readonly customId: string
  /** Of a call by itself, e.g. `/chat/completions`. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** What became of one call. */
export type BatchedResult =
  /** The reply that it would have had by itself; the provider bills a success. */
  | { readonly kind: 'reply'; readonly status: number; readonly body: string }
  /** Not executed and not billed. */
  | { readonly kind: 'expired' | 'cancelled' | 'failed'; readonly reason: string }
  /** Accepted, and nothing tells what became of it: it may be billed. */
  | { readonly kind: 'lost'; readonly reason: string }

export interface BatchState {
  readonly ok: true
  readonly isOver: boolean
  /** Where the results are, in the protocol's own form. */
  readonly results: readonly string[]
  /** Why the batch as a whole failed; null where it did not. */
  readonly failure: string | null
  /** It was cut short, so that calls without a result were not executed. */
  readonly isCut: boolean
}

type Answered<Value> = ({ readonly ok: true } & Value) | Failure

/** A provider's interface for calls that are answered within a day. Pure but for the transport. */
export interface BatchProtocol {
  /** @param token of ours, by which a batch is found whose submission was cut off */
  submit(transport: JsonTransport, token: string, calls: readonly BatchedCall[], signal: AbortSignal): Promise<Answered<{ id: string }>>
  state(transport: JsonTransport, id: string, signal: AbortSignal): Promise<BatchState | Failure>
  /** By custom id, in no order. */
  results(
    transport: JsonTransport,
    state: BatchState,
    signal: AbortSignal,
  ): Promise<Answered<{ items: ReadonlyMap<string, BatchedResult> }>>
  cancel(transport: JsonTransport, id: string, signal: AbortSignal): Promise<void>
  /** The batch that was submitted with a token; null where there is none, or where the provider does not tell. */
  find(transport: JsonTransport, token: string, signal: AbortSignal): Promise<Answered<{ id: string | null }>>
}

const protocols: Partial<Record<ConnectionProtocol, BatchProtocol>> = {
  openai_chat: openAiBatches,
  openai_responses: openAiBatches,
  anthropic_messages: anthropicBatches,
}

/** Protocols whose providers have one. */
export const batchedProtocols: readonly string[] = Object.keys(protocols)

/** Null where the protocol has none. */
export function batchProtocolOf(protocol: ConnectionProtocol): BatchProtocol | null {
  return protocols[protocol] ?? null
}
