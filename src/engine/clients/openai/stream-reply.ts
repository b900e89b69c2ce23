import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { z } from 'zod'
import { parseJson } from '../http/parse-json.ts'
import { errorIn } from '../http/provider-error.ts'
import type { ReadProgress } from '../http/exchange.ts'
import type { EventReader, StreamFault } from '../http/read-reply.ts'
import { mergeUsage, readUsage } from '../usage/read-usage.ts'
import { answerOf, type WireAnswer } from '../wire/wire-protocol.ts'
import { Content, reasoningFields, reasoningOf, textOf } from './content.ts'

/** Characters of one event; a token's event has some hundred. */
const maxEventLength = 1024 * 1024

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        index: z.int().default(0),
        delta: z.object({ content: Content, ...reasoningFields, refusal: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  model: z.string().nullish().catch(null),
})

/** Puts an answer together from the server-sent events of a streamed chat completion. */
export class StreamReply implements EventReader<WireAnswer> {
  readonly #decoder = new TextDecoder()
  readonly #parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent: event => this.#onEvent(event),
    onError: error => {
      if (error.type === 'max-buffer-size-exceeded') this.#fault ??= { kind: 'too_large' }
    },
  })
  #text = ''
  #reasoning = ''
  #refusal = ''
  #finishReason: string | null = null
  #model: string | null = null
  /** As counted so far, in the provider's form. */
  #usage: unknown = null
  #done = false
  #fault: StreamFault | null = null

  read(chunk: Uint8Array): ReadProgress {
    if (!this.#ended()) this.#parser.feed(this.#decoder.decode(chunk, { stream: true }))
    if (this.#ended()) return 'done'
    return this.#finishReason === null ? 'more' : 'ending'
  }

  /** Call at the regular end of the body: parses a last event that lacks its blank line. */
  end(): void {
    if (!this.#ended()) this.#parser.feed(`${this.#decoder.decode()}\n\n`)
  }

  get fault(): StreamFault | null {
    return this.#fault
  }

  /** The whole answer: null until the stream said that it is done, or at least why the model stopped. */
  get answer(): WireAnswer | null {
    if (!this.#done && this.#finishReason === null) return null
    return answerOf({
      output: this.#text === '' ? this.#refusal : this.#text,
      reasoning: this.#reasoning,
      finishReason: this.#finishReason,
      refused: this.#refusal !== '',
      ...readUsage(this.#usage),
      servedModel: this.#model,
    })
  }

  #ended(): boolean {
    return this.#done || this.#fault !== null
  }

  #onEvent({ event, data }: EventSourceMessage): void {
    // Some servers keep a connection alive with events that hold nothing.
    if (this.#ended() || data.trim() === '') return
    if (data.trim() === '[DONE]') {
      this.#done = true
      return
    }
    const json = parseJson(data)
    const error = json.ok ? errorIn(json.value, event === 'error') : null
    if (error) {
      this.#fault = { kind: 'provider_error', error }
    } else if (event === 'error') {
      this.#fault = { kind: 'provider_error', error: { message: data, code: null, status: null } }
    } else if (!json.ok) {
      this.#fault = { kind: 'malformed', problem: `has an event that ${json.problem}` }
    } else {
      this.#take(json.value)
    }
  }

  #take(value: unknown): void {
    const chunk = Chunk.safeParse(value)
    if (!chunk.success) {
      this.#fault = { kind: 'malformed', problem: 'has an event that is no chat completion chunk' }
      return
    }
    this.#usage = mergeUsage(this.#usage, value)
    this.#model = chunk.data.model || this.#model
    for (const { index, delta, finish_reason } of chunk.data.choices ?? []) {
      // One choice is requested; if a server streams several, the first is used.
      if (index !== 0) continue
      this.#text += textOf(delta?.content)
      this.#reasoning += reasoningOf(delta ?? {}, delta?.content)
      this.#refusal += delta?.refusal ?? ''
      this.#finishReason = finish_reason || this.#finishReason
    }
  }
}
