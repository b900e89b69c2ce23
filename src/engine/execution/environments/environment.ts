import type { BenchmarkContent, BenchmarkDefinition } from '../../tasks/definition.ts'
import type { ToolDefinition } from '../../clients/model-client.ts'
import type { CallWorldFunction } from '../../grading/sandbox/world-functions.ts'
import type { Task } from '../../tasks/task.ts'
import type { MatchCall } from './worlds/match-call.ts'
import type { AskUser } from './worlds/simulated-user.ts'

/** One use of a tool, as understood from what a model said. */
export interface Action {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** Anything that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** The world of one task while it is played. Deterministic: the same actions lead to the same observations and the same state. */
export interface Simulation {
  /**
   * The tool's result. Invalid use is returned to the model as an observation.
   * @throws WorldError where the world itself failed
   */
  act(action: Action): string | Promise<string>
  /** Whether nothing more can be done, so that the episode ends without an answer. */
  readonly over: boolean
  /** Why it is over; absent: the task itself. */
  readonly endedBy?: EpisodeEnd | null
  /** Called before each turn of the model, from 1. */
  beginTurn?(turn: number): void
  /**
   * What the user says after an answer; null ends the episode. Absent where there is no user to answer.
   * @throws WorldError where the user is a model and has none, UserCutOffError where it is asked nothing more
   */
  reply?(answer: string): string | null | Promise<string | null>
  /** The world has failed. */
  failed?(message: string): void
  /** What the episode keeps beside the final state. */
  report?(): Readonly<Record<string, unknown>>
  /**
   * Final state of the world, which the score compares with the task's goal.
   * @param answer what the model answered last; null when it was stopped before it answered
   */
  state(answer: string | null): Readonly<Record<string, Json>>
}

export type EpisodeEnd =
  | 'answered'
  | 'over'
  | 'user_stopped'
  | 'turn_limit'
  | 'call_limit'
  | 'token_limit'
  | 'time_limit'
  | 'tool_errors'
  | 'world_error'

/** Where and in which epoch a task is played. */
export interface PlayPlace {
  readonly epoch: number
  readonly callFunction: CallWorldFunction
  /** Checks the arguments of a call. */
  readonly matchCall: MatchCall
  /** Asks the model that plays the user. */
  readonly askUser: AskUser
}

/** What the loop needs of a family, whether it ships with Assay or a workspace made it. */
export interface PlayableFamily {
  readonly slug: string
  readonly tools: readonly ToolDefinition[]
  readonly maxTurns: number
  readonly observationBytes: number
  /** Of all turns of a task, as far as they are counted; null: no limit. */
  readonly maxTokens: number | null
  /** Milliseconds that the calls of a task may take together; null: no limit. */
  readonly maxMs: number | null
  start(task: Task, place: PlayPlace): Simulation
  candidates(task: Task): Readonly<Record<string, readonly unknown[]>>
  /** Actions that reach the goal, null among them for an answer that the user replies to; null where none are known. */
  reference(task: Task): { readonly actions: readonly (Action | null)[]; readonly answer: string } | null
  /** UTF-8 bytes of the longest message of the task's user after the first. */
  replyBytes(task: Task): number
}

/** A family of tasks that are solved by using tools turn after turn. */
export interface EnvironmentFamily {
  /** Never changes: the listing is paged by it. */
  readonly id: string
  readonly definition: BenchmarkDefinition
  /** Version of `content`; the seed is part of it. */
  readonly version: string
  readonly tools: readonly ToolDefinition[]
  /** Turns of the model, at most; each is one call. */
  readonly maxTurns: number
  /** Bytes that the observations of one turn may have together; what goes beyond is cut, so that the cost of a task has a bound. */
  readonly observationBytes: number
  content(): BenchmarkContent
  /** @throws ZodError when the task is not one of this family */
  start(task: Task): Simulation
  /** Values that an agent without understanding could try, by parameter name: they occur in the task or follow from its world. */
  candidates(task: Task): Readonly<Record<string, readonly unknown[]>>
}
