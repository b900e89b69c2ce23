import type { Effort } from '../../contract/catalog/models.schemas.ts'
import type { ResponseFormat } from '../../contract/connections/request-settings.schemas.ts'
import type { MessageContent } from '../../contract/messages/messages.schemas.ts'
import type { CallNoteCode } from '../../contract/runs/call-notes.ts'
import type { FailureCode } from '../../contract/runs/failure-codes.ts'
import type { Fault } from './fault.ts'
import type { Usage } from './usage/usage.ts'

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: MessageContent
  /** Of the speaker; sent where the protocol has a place for it. */
  readonly name?: string
}

/** A tool that a model may ask for. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: readonly ToolParameter[]
  /** JSON Schema of the arguments, where `parameters` cannot tell them. */
  readonly schema?: Readonly<Record<string, unknown>>
}

export interface ToolParameter {
  readonly name: string
  readonly type: 'string' | 'integer'
  readonly description: string
  /** The only values that make sense; absent when any does. */
  readonly values?: readonly string[]
}

/** A model's request to use a tool. */
export interface ToolCall {
  /** Names the call, so that its result can be given back; empty where the provider gave none. */
  readonly id: string
  readonly name: string
  /** As the model wrote them: JSON text, perhaps broken. */
  readonly arguments: string
}

/** What a model said together with the tools it asks for. */
export interface ToolCallingMessage {
  readonly role: 'assistant'
  readonly content: MessageContent
  readonly toolCalls: readonly ToolCall[]
  readonly carried?: Carried
}

/**
 * What else came with tool calls and is asked back with them, in the form of the protocol that read it: signatures, thoughts. What
 * belongs to single calls is in their order, since their ids may be replaced.
 */
export type Carried = Readonly<Record<string, unknown>>

/** What a tool answered. */
export interface ToolResultMessage {
  readonly role: 'tool'
  readonly content: MessageContent
  readonly toolCallId: string
  /** Of the tool; absent where the conversation does not say. */
  readonly name?: string
  readonly isError?: boolean
}

/** One message of a conversation, tools included. */
export type Turn = Message | ToolCallingMessage | ToolResultMessage

/** A model request, independent of any provider's protocol. */
export interface ModelRequest {
  readonly messages: readonly Turn[]
  /** How many of the first messages were given, answers among them; absent where all answers in it are the model's own. */
  readonly given?: number
  /** Offered as native tools; absent for a request without. */
  readonly tools?: readonly ToolDefinition[]
  /** Null: send no temperature, so that the provider's own default holds. */
  readonly temperature: number | null
  readonly maxOutputTokens: number
  readonly stop: readonly string[]
  /** Reasoning that the model writes into its text stays there, and is graded with it; absent: it is taken out. */
  readonly reasoning?: 'as_text'
  /** How much to reason; absent: not said, so that the provider's own default holds. */
  readonly effort?: Effort
  /** Structured output; absent: that of the connection, if any. */
  readonly responseFormat?: ResponseFormat
  /** Images with more pixels are resized; absent: they are sent as they are. */
  readonly maxImagePixels?: number
}

export interface CallOptions {
  /** Aborts the call; the outcome is then `cancelled`. */
  readonly signal: AbortSignal
  /** Of the question, the same for each attempt; absent: a failed call leaves nothing open. */
  readonly work?: OpenWork
  /** Names the call within its run, the same after a restart: by it a batch gives the answer back. Absent: it is in none. */
  readonly item?: string
}

/** What the attempts for one question share: work that the other end does between calls, such as an agent's task. */
export interface OpenWork {
  /** Left open by a call that failed; the next call continues it without a new request. Null: there is none. */
  task: OpenTask | null
}

export interface OpenTask {
  resume(options: CallOptions): Promise<CallOutcome>
  /** Tells the other end to stop. Best effort, with a short wait. */
  abandon(): Promise<void>
}

export const newWork = (): OpenWork => ({ task: null })

/** By whoever began the work, once no further attempt follows. Answers whether any was open: then nothing is known of its bill. */
export async function abandonWork(work: OpenWork): Promise<boolean> {
  const { task } = work
  work.task = null
  await task?.abandon()
  return task !== null
}

/** Something that a person who reads a sample should know of its call, e.g. a setting that could not be sent. */
export interface CallNote {
  readonly code: CallNoteCode
  /** For people, without secrets. */
  readonly message: string
}

/** One request and its reply, byte for byte, of a sample that took several. */
export interface EarlierCall {
  readonly request: Uint8Array | null
  readonly response: Uint8Array | null
}

/** What the model said to an earlier turn of a sample. */
export interface EarlierAnswer {
  readonly output: string
  readonly reasoning: string | null
}

/** What went over the wire, byte for byte; null where nothing did. */
export interface Wire {
  /** Calls before the one in `request` and `response`, oldest first; absent where there was one. */
  readonly earlier?: readonly EarlierCall[]
  readonly notes?: readonly CallNote[]
  readonly request: Uint8Array | null
  readonly response: Uint8Array | null
  readonly httpStatus: number | null
  /** What the reply's headers say is left of the provider's limits. */
  readonly announced?: AnnouncedRate | null
  /** What the provider says that all of it cost, in 1e-12 USD; absent where it does not say. It counts before any rates. */
  readonly statedPicoUsd?: number
}

/** Null where a reply says nothing about it. */
export interface AnnouncedRate {
  readonly requests: RateWindow | null
  readonly tokens: RateWindow | null
}

export interface RateWindow {
  /** Null where only the rest is told. */
  readonly limit: number | null
  readonly remaining: number
  /** Milliseconds until the limit is whole again. */
  readonly resetMs: number
  /** Whether it fills up all the time, or all at once at the end. */
  readonly refill: 'steady' | 'at_once'
}

export interface Answer extends Wire {
  readonly ok: true
  /** The answer's text without its reasoning; empty when the model said nothing. */
  readonly output: string
  /** What the model thought before it; absent where it tells none. */
  readonly reasoning?: string
  /** To the scripted turns before, oldest first; absent where there was one question. */
  readonly earlierAnswers?: readonly EarlierAnswer[]
  /** As the provider names it, e.g. `stop`, `length`, `content_filter`. */
  readonly finishReason: string | null
  /** The model declined to answer; `output` holds its words. */
  readonly refused: boolean
  /** What the provider calls the model that answered; absent where it does not say. */
  readonly servedModel?: string
  /** Tools that the model asks for; absent where it asks for none. */
  readonly toolCalls?: readonly ToolCall[]
  /** Absent where there are no tool calls or nothing came with them. */
  readonly carried?: Carried
  /** As counted by the provider; null where it does not say. */
  readonly usage: Usage | null
  /** The reply has a count that makes no sense, so that `usage` is null. */
  readonly unreadUsage?: true
  /** From sending to the last byte. */
  readonly latencyMs: number
}

export interface Failure extends Wire {
  readonly ok: false
  readonly code: FailureCode
  /** For people, without secrets and without the provider's raw body. */
  readonly message: string
  /** Pause that the provider asked for, in milliseconds; null where it did not. */
  readonly retryAfterMs: number | null
  readonly latencyMs: number
  /**
   * Counted by the provider for what it made before the failure: earlier calls, a part of the answer. Null where it made something and
   * counted nothing, absent where it made nothing.
   */
  readonly usage?: Usage | null
}

export type CallOutcome = Answer | Failure

/** Log-likelihood of a continuation given a context. */
export interface LoglikelihoodRequest {
  readonly context: string
  readonly continuation: string
}

export interface Loglikelihood extends Wire {
  readonly ok: true
  /** Natural logarithm of the continuation's probability, at most 0. */
  readonly logprob: number
  /** Whether it is what the model would have said by itself; null where the provider does not tell. */
  readonly isGreedy: boolean | null
  readonly usage: Usage | null
  readonly latencyMs: number
}

/** Of several continuations of one context, in their order. */
export interface Loglikelihoods extends Wire {
  readonly ok: true
  readonly items: readonly Pick<Loglikelihood, 'logprob' | 'isGreedy'>[]
  readonly usage: Usage | null
  readonly latencyMs: number
}

/** What the other end says of itself. */
export interface Reached extends Wire {
  readonly ok: true
  /** For people, e.g. the agent's name and version. */
  readonly description: string
  readonly latencyMs: number
}

/** Speaks one provider's protocol. Never throws: whatever happens is an outcome. */
export interface ModelClient {
  call(request: ModelRequest, options: CallOptions): Promise<CallOutcome>
  /** Tokens of a request's files by its provider's rule, without those that it does not count; absent where no rule is known. */
  fileTokens?(request: Pick<ModelRequest, 'messages' | 'maxImagePixels'>): number
  /** Absent where the protocol has no way to ask. Where it has, only a probe shows whether the server really does it. */
  loglikelihood?(request: LoglikelihoodRequest, options: CallOptions): Promise<Loglikelihood | Failure>
  /** The same of several continuations in one request, of an empty context as well; absent where each takes one of its own. */
  loglikelihoods?(context: string, continuations: readonly string[], options: CallOptions): Promise<Loglikelihoods | Failure>
  /** Asks whether the other end is there and lets this client in, without having it work; absent where only an answer shows that. */
  reach?(options: CallOptions): Promise<Reached | Failure>
  /** Whether anything answers at the endpoint, without a model call; null: something does, whatever it says. */
  probe(options: CallOptions): Promise<Fault | null>
  /** By whoever opened it, once. */
  close(): Promise<void>
}
