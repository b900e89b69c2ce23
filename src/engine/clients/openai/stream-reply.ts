import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { z } from 'zod'
import { parseJson } from '../http/parse-json.ts'
import { errorIn } from '../http/provider-error.ts'
import type { ReadProgress } from '../http/exchange.ts'
import type { EventReader, StreamFault } from '../http/read-reply.ts'
import { mergeUsage, readUsage } from '../usage/read-usage.ts'
import { answerOf, type WireAnswer } from '../wire/wire-protocol.ts'
import { reasoningOf, refusalIn, textOf } from './content.ts'
import { addCarried, carriedOf, readToolCalls, ToolCallPieces } from './tool-calls.ts'
import { endingFields, feedbackFields, finishReasonOf, isPromptBlocked, messageFields, promptBlocked } from './reply.ts'

/** Characters of one event: a token's has some hundred, a picture's some million. */
const maxEventLength = 8 * 1024 * 1024

const Delta = z.looseObject(messageFields).nullish()
const Choice = z.object({
  index: z.coerce.number().int().catch(0),
  delta: Delta,
  // Of servers that send the whole in one event.
  message: Delta.catch(null),
  text: z.string().nullish().catch(null),
  ...endingFields,
})
const Chunk = z.object({
  choices: z.array(Choice).nullish(),
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
  readonly #choices = new Map<number, ChoicePieces>()
  #model: string | null = null
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
    return this.#choice?.finishReason == null ? 'more' : 'ending'
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
    if (!this.#done && this.#choice?.finishReason == null) return null
    const { part } = this
    return this.#choice || part.finishReason === promptBlocked ? part : null
  }

  /** One is requested; if a server streams several, the one is used that is used of a whole reply. */
  get #choice(): ChoicePieces | undefined {
    return this.#choices.get(0) ?? this.#choices.values().next().value
  }

  get part(): WireAnswer {
    const count = readUsage(this.#usage)
    const isBlocked = !this.#choice && (this.#isBlocked || isPromptBlocked({}, count))
    const made = (this.#choice ?? new ChoicePieces()).parts
    return answerOf({ ...made, ...(isBlocked && { finishReason: promptBlocked }), ...count, servedModel: this.#model })
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
      const pieces = this.#choices.get(choice.index) ?? new ChoicePieces()
      this.#choices.set(choice.index, pieces)
      pieces.add(choice)
    }
  }
}

/** Puts the message of one choice together. */
class ChoicePieces {
  #text = ''
  #reasoning = ''
  readonly #calls = new ToolCallPieces()
  readonly #carried: Record<string, unknown> = {}
  #refusal = ''
  finishReason: string | null = null

  add(choice: z.infer<typeof Choice>): void {
    // A whole message beside pieces repeats them.
    const isWhole = this.#text === '' && this.#reasoning === '' && this.#calls.isEmpty
    const piece = choice.delta?.content == null && isWhole && choice.message ? choice.message : (choice.delta ?? {})
    this.#text += textOf(piece.content ?? choice.text)
    this.#reasoning += reasoningOf(piece, piece.content)
    this.#calls.add(piece.tool_calls ?? (piece.function_call == null ? [] : { index: 0, function: piece.function_call }))
    addCarried(this.#carried, piece)
    this.#refusal += piece.refusal || refusalIn(piece.content)
    this.finishReason = finishReasonOf(choice) || this.finishReason
  }

  get parts() {
    const calls = this.#calls.whole
    const message = { ...this.#carried, content: this.#text || null, tool_calls: calls }
    return {
      output: this.#text === '' ? this.#refusal : this.#text,
      reasoning: this.#reasoning,
      finishReason: this.finishReason,
      refused: this.#refusal !== '',
      ...(calls && { toolCalls: readToolCalls(calls).map(({ call }) => call), carried: carriedOf({ choices: [{ message }] }, 0) }),
    }
  }
}
