import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { z } from 'zod'
import { parseJson } from '../http/parse-json.ts'
import { errorIn } from '../http/provider-error.ts'
import type { ReadProgress } from '../http/exchange.ts'
import type { EventReader, StreamFault } from '../http/read-reply.ts'
import { mergeUsage, readUsage } from '../usage/read-usage.ts'
import { answerOf, type WireAnswer } from '../wire/wire-protocol.ts'
import { Content, reasoningFields, reasoningOf, refusalIn, textOf } from './content.ts'
import { carriedOf, readToolCalls, ToolCallPieces } from './tool-calls.ts'
import { endingFields, feedbackFields, finishReasonOf, isPromptBlocked, promptBlocked } from './reply.ts'

/** Characters of one event: a token's has some hundred, a picture's some million. */
const maxEventLength = 8 * 1024 * 1024

const Delta = z
  .object({ content: Content, ...reasoningFields, refusal: z.string().nullish().catch(null), tool_calls: z.unknown().optional() })
  .nullish()
const Chunk = z.object({
  choices: z
    .array(
      z.object({
        index: z.coerce.number().int().catch(0),
        delta: Delta,
        // Of servers that send the whole in one event.
        message: Delta.catch(null),
        text: z.string().nullish().catch(null),
        ...endingFields,
      }),
    )
    .nullish(),
  model: z.string().nullish().catch(null),
  ...feedbackFields,
})

/** What servers write that keep a connection alive with events of no content. */
const keepAlive = /^(?:null|\[\]|"?(?:ping|pong|keep-?alive|heartbeat)"?)?$/i

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
  readonly #calls = new ToolCallPieces()
  /** What reasoning is called by servers that want it back beside tool calls. */
  readonly #thoughts = { reasoning_content: '', reasoning: '' }
  #refusal = ''
  #finishReason: string | null = null
  #model: string | null = null
  #hasChoices = false
  #isBlocked = false
  /** As counted so far, in the provider's form. */
  #usage: unknown = null
  #done = false
  #fault: StreamFault | null = null
  readonly #seen: (value: unknown) => void

  constructor(seen: (value: unknown) => void = () => {}) {
    this.#seen = seen
  }

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
    const { part } = this
    return this.#hasChoices || part.finishReason === promptBlocked ? part : null
  }

  get part(): WireAnswer {
    const count = readUsage(this.#usage)
    const isBlocked = !this.#hasChoices && (this.#isBlocked || isPromptBlocked({}, count))
    const calls = this.#calls.whole
    const { reasoning_content: content, reasoning } = this.#thoughts
    const message = { content: this.#text || null, reasoning_content: content || null, reasoning: reasoning || null, tool_calls: calls }
    return answerOf({
      output: this.#text === '' ? this.#refusal : this.#text,
      reasoning: this.#reasoning,
      finishReason: isBlocked ? promptBlocked : this.#finishReason,
      refused: this.#refusal !== '',
      ...count,
      servedModel: this.#model,
      ...(calls && { toolCalls: readToolCalls(calls).map(({ call }) => call), carried: carriedOf({ choices: [{ message }] }, 0) }),
    })
  }

  #ended(): boolean {
    return this.#done || this.#fault !== null
  }

  #onEvent({ event, data }: EventSourceMessage): void {
    if (this.#ended() || keepAlive.test(data.trim())) return
    if (/^\[?done\]?$/i.test(data.trim())) {
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
    this.#seen(value)
    this.#usage = mergeUsage(this.#usage, value)
    this.#model = chunk.data.model || this.#model
    this.#isBlocked ||= isPromptBlocked(chunk.data, { usage: null })
    for (const choice of chunk.data.choices ?? []) {
      // One choice is requested; if a server streams several, the first is used.
      if (choice.index !== 0) continue
      this.#hasChoices = true
      // A whole message beside pieces repeats them.
      const isWhole = this.#text === '' && this.#reasoning === '' && this.#calls.isEmpty
      const piece = choice.delta?.content == null && isWhole && choice.message ? choice.message : (choice.delta ?? {})
      this.#text += textOf(piece.content ?? choice.text)
      this.#reasoning += reasoningOf(piece, piece.content)
      if (piece.tool_calls != null) this.#calls.add(piece.tool_calls)
      this.#thoughts.reasoning_content += piece.reasoning_content ?? ''
      this.#thoughts.reasoning += piece.reasoning ?? ''
      this.#refusal += piece.refusal || refusalIn(piece.content)
      this.#finishReason = finishReasonOf(choice) || this.#finishReason
    }
  }
}
