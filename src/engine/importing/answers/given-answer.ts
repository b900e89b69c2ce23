/** What a file says of one output. */
export interface RecordedOutput {
  /** Null: there is none, and `error` may say why. */
  readonly output: string | null
  /** What the model thought, where the file has it apart from the output. */
  readonly reasoning: string | null
  /** Why it ended, by the file's word. */
  readonly finishReason: string | null
  readonly error: string | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly latencyMs: number | null
  /** The file's own scores by their names there. */
  readonly scores: Readonly<Record<string, number>>
  /** What the file says of its scores, by the same names. */
  readonly reasons?: Readonly<Record<string, string>> | undefined
  /** The scores that the file states in words, by the same names. */
  readonly labels?: Readonly<Record<string, string>> | undefined
}

/** One output before it is known which task it belongs to. */
export interface GivenAnswer extends RecordedOutput {
  readonly line: number | null
  /** From 1; null where the file does not say it. */
  readonly epoch: number | null
  readonly model: string | null
}

/** How a row says which task it answers. */
export type TaskReference =
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'question'; readonly question: string }
  /** The place from `index_base`, in the whole benchmark or in a group. */
  | { readonly by: 'index'; readonly index: number; readonly group: string | null }

export interface ReferringAnswer extends GivenAnswer {
  readonly task: TaskReference
}

/** An output whose task is known. */
export interface MatchedAnswer extends GivenAnswer {
  /** Place of the task among the tasks of the profile's split. */
  readonly taskIndex: number
  readonly epoch: number
  readonly model: string
}

export const noFacts = {
  reasoning: null,
  finishReason: null,
  error: null,
  inputTokens: null,
  outputTokens: null,
  latencyMs: null,
  scores: {},
  reasons: {},
  labels: {},
} as const
