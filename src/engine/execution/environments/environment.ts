import type { BenchmarkContent, BenchmarkDefinition } from '../../tasks/definition.ts'
import type { ToolDefinition } from '../../clients/model-client.ts'
import type { Task } from '../../tasks/task.ts'

/** One use of a tool, as understood from what a model said. */
export interface Action {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** Anything that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** The world of one task while it is played. Deterministic: the same actions lead to the same observations and the same state. */
export interface Simulation {
  /** The tool's result. Never throws: invalid use is returned to the model as an observation. */
  act(action: Action): string
  /** Whether nothing more can be done, so that the episode ends without an answer. */
  readonly over: boolean
  /**
   * Final state of the world, which the score compares with the task's goal.
   * @param answer what the model answered last; null when it was stopped before it answered
   */
  state(answer: string | null): Readonly<Record<string, Json>>
}

/** A family of tasks that are solved by using tools turn after turn. */
export interface EnvironmentFamily {
  /** Fixed for ever: the listing is paged by it. */
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
