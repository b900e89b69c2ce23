import type { z } from 'zod'

/** Verdicts, which have a value. */
type VerdictClass = 'correct' | 'wrong' | 'partial'

/**
 * Why there is no verdict, hence no value. `unscored` means that none could be reached (no extractable answer where the scorer
 * distinguishes that, a judge off its menu, a bad target): it is never counted as wrong.
 */
type NoVerdictClass = 'unscored' | 'provider_error' | 'too_slow' | 'refused'

/** What became of one output. */
export type ScoreClass = VerdictClass | NoVerdictClass

/** What a scorer is given. Everything in it is untrusted text. */
export interface ScoreInput {
  /** The model's answer, as received. */
  readonly output: string
  /** Its answers to scripted turns before, oldest first; absent where there was one question. */
  readonly earlier?: readonly string[]
  /** Reference answers; several mean "any of these". Empty when the task has none (constraints live in metadata). */
  readonly targets: readonly string[]
  /** The task's answer choices in the order shown to the model, for choice scorers. */
  readonly choices?: readonly string[]
  /** The task's own metadata, for scorers that need more than a target (constraints, tests, hidden inputs). */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Scores that were imported with the answer, by their names. */
  readonly recorded?: Readonly<Record<string, RecordedScore>>
  /** Metadata of the dataset's example whose output is graded; absent for answers of runs, which its verdicts say nothing about. */
  readonly example?: Readonly<Record<string, unknown>>
  /** What the answer took; absent where it was not measured. */
  readonly measured?: Measured
}

export interface Measured {
  readonly latencyMs: number | null
  /** Null where it is not known, or nothing was charged. */
  readonly costUsd: number | null
}

/** @param costMicrousd 0 where nothing was charged: a free model and one without a price are not told apart */
export function measuredOf(latencyMs: number | null, costMicrousd: number, isBillUnknown: boolean): Measured {
  return { latencyMs, costUsd: isBillUnknown || costMicrousd === 0 ? null : costMicrousd / 1e6 }
}

/** A score that a file states beside an answer. */
export interface RecordedScore {
  readonly value: number
  /** Why, by the word of what gave it. */
  readonly explanation: string | null
  /** The verdict in words, where the file states one. */
  readonly label?: string | null
}

/** One scorer's verdict on one output: a value exactly where there is a verdict. */
export type Score = ScoreDetails &
  (
    | {
        /** In [0, 1] for every scorer that states no other range. */
        readonly value: number
        readonly class: VerdictClass
      }
    | { readonly value: null; readonly class: NoVerdictClass }
  )

interface ScoreDetails {
  /** The extracted answer, as text; null where nothing was extracted. */
  readonly answer: string | null
  /** Where `answer` is in `output`, in UTF-16 code units, end exclusive; null when it is not a literal part of it. */
  readonly answerSpan: { readonly start: number; readonly end: number } | null
  /** One or two sentences that a person understands without reading the scorer. */
  readonly explanation: string
  /** Further named values, e.g. one per instruction. */
  readonly values?: Readonly<Record<string, number | null>>
  /** What the figure of a whole run is computed from where that is not a mean of values: each is added up over its samples. */
  readonly counts?: Readonly<Record<string, number>>
  /** The verdict in the words of the tool whose rules the scorer follows, e.g. `N` (no answer) of Inspect. */
  readonly label?: string
}

/** A scorer with its options parsed and its patterns compiled: made once, called once per output. */
export type PreparedScorer = (input: ScoreInput) => Score

/** What every kind of scorer says of itself. */
export interface ScorerDescription<Options = unknown> {
  /** `<family>/<name>`, e.g. `lm_eval/gsm8k_strict`. */
  readonly id: string
  /** Raised whenever any score could change. */
  readonly version: number
  readonly title: string
  /** What it does and whose rules it follows, in a sentence or two. */
  readonly description: string
  readonly options: z.ZodType<Options>
}

/** A registered scorer. Pure: same input and options, same score, on any platform. */
export interface Scorer<Options = unknown> extends ScorerDescription<Options> {
  score(input: ScoreInput, options: Options): Score
  /**
   * Does the work that depends on the options alone (compiling patterns, schemas), so that a batch pays for it once.
   * Without it, `score` is called with the options each time.
   * @throws ScorerConfigError when the options make no sense together or hold a pattern that cannot be compiled.
   */
  prepare?(options: Options): PreparedScorer
}
