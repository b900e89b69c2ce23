import type { CacheMark } from './cache-marks.ts'
import type { MediaLookup } from './media-lookup.ts'
import type { EventReader, Reading } from '../http/read-reply.ts'
import type { Answer, CallNote, Carried, ModelRequest, ToolCall } from '../model-client.ts'
import type { Count } from '../usage/read-usage.ts'

/** A request in a provider's own form. */
export interface WireRequest {
  /** Below the base URL, e.g. `/messages`. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** What could not be sent as asked; empty when everything could. */
  readonly notes: readonly CallNote[]
}

/** The part of an answer that the protocol decides; the rest is the transport's. */
export type WireAnswer = Pick<
  Answer,
  'output' | 'reasoning' | 'finishReason' | 'refused' | keyof Count | 'toolCalls' | 'carried' | 'servedModel'
>

export type WireReading = Reading<WireAnswer>

/** One provider's way of asking for an answer, without the transport. Pure: the same request gives the same bytes. */
export interface WireProtocol {
  /** What texts for people call it, e.g. `Anthropic messages`. */
  readonly title: string
  /** Headers beside those of every call. @param apiKey null where the connection has none */
  headers(apiKey: string | null): Readonly<Record<string, string>>
  request(request: ModelRequest, model: string, media: MediaLookup): WireRequest
  /** The body with marks for the provider's prompt cache; absent where the provider takes none. */
  markCache?(body: WireRequest['body'], mark: CacheMark): WireRequest['body']
  /** The answer in a reply of status 2xx. A problem follows "The reply": e.g. `has no choices`. */
  read(value: unknown): WireReading
  /**
   * Reads an answer that is streamed; absent where the protocol's answers always come whole.
   * @param seen is given the value of each event
   */
  events?: (seen?: (value: unknown) => void) => EventReader<WireAnswer>
}

export const bearer = (apiKey: string | null): Record<string, string> => (apiKey === null ? {} : { authorization: `Bearer ${apiKey}` })

/** Reports a setting that the protocol does not have, so that it is not recorded as applied. */
export function dropped(name: string, title: string, isSet: boolean): CallNote[] {
  return isSet ? [{ code: 'parameter_dropped', message: `${title} has no “${name}”, so it was not sent.` }] : []
}

/** Characters of a model's name that are kept. */
const longestModelName = 200

/** An answer as a protocol reads it: what is empty or null is left out. */
export interface WireParts extends Pick<WireAnswer, 'output' | 'finishReason' | 'refused' | keyof Count> {
  readonly reasoning?: string | null | undefined
  readonly servedModel?: string | null | undefined
  readonly toolCalls?: readonly ToolCall[]
  readonly carried?: Carried
}

/** Half a surrogate pair cannot be stored as UTF-8, so it becomes U+FFFD here: what is graded is then what is stored. */
export function answerOf({ output, reasoning, servedModel, toolCalls = [], carried = {}, ...rest }: WireParts): WireAnswer {
  return {
    ...rest,
    output: output.toWellFormed(),
    ...(reasoning ? { reasoning: reasoning.toWellFormed() } : {}),
    ...(servedModel ? { servedModel: servedModel.slice(0, longestModelName).toWellFormed() } : {}),
    ...(toolCalls.length > 0 ? { toolCalls, ...(Object.keys(carried).length > 0 ? { carried } : {}) } : {}),
  }
}

export const wireAnswer = (parts: WireParts): WireReading => ({ ok: true, content: answerOf(parts) })
