import type { Score } from './scorer.ts'

/** A literal part of an output: `text` is at `start` (inclusive) to `end` (exclusive), in UTF-16 code units. */
export interface Extraction {
  readonly text: string
  /** The same with words before it that may belong to it: "Just Dance", where "just Paris" is Paris. */
  readonly also?: string
  readonly start: number
  readonly end: number
}

interface Detail {
  readonly explanation: string
  /** What was compared, as text; null where nothing could be extracted. */
  readonly answer: string | null
  /** Where the answer is in the output, when it is a literal part of it. */
  readonly span?: Score['answerSpan']
  readonly values?: Readonly<Record<string, number | null>>
  readonly label?: string
}

/** A score in [0, 1]: 1 is correct, 0 is wrong, anything between is partial. */
export function graded(value: number, detail: Detail): Score {
  if (!Number.isFinite(value)) return unscored(`The score is not a number. ${detail.explanation}`, detail.answer)
  const { explanation, answer, span = null, values, label } = detail
  return {
    value,
    class: value >= 1 ? 'correct' : value <= 0 ? 'wrong' : 'partial',
    answer,
    answerSpan: span,
    explanation,
    ...(values && { values }),
    ...(label !== undefined && { label }),
  }
}

/** Right or wrong, nothing between. */
export function judged(isCorrect: boolean, detail: Detail): Score {
  return graded(isCorrect ? 1 : 0, detail)
}

/** No verdict could be reached, and why. */
export function unscored(explanation: string, answer: string | null = null): Score {
  return { value: null, class: 'unscored', answer, answerSpan: null, explanation }
}

/** What a verdict needs beside the answer. */
export type Infrastructure = 'sandbox' | 'grader' | 'judge' | 'embedding' | 'scorer'

/** What was to give the verdict was lost, and again at the repetition. It says nothing about the answer; results count it. */
export function lost(what: Infrastructure, explanation: string): Score {
  return counted(`${what}_lost`, explanation)
}

/** Why a judge that was asked gave no verdict: it only thought, its reply cannot be read, or nothing was left to pay it. */
export type JudgeSilence = 'judge_answer_missing' | 'judge_unclear' | 'judge_unpaid'

export function silent(why: JudgeSilence, explanation: string): Score {
  return counted(why, explanation)
}

/** What the model was tested in failed: a tool's function threw, or had no result for a call. */
export function worldError(explanation: string, answer: string | null): Score {
  return { ...counted('world_error', explanation), answer }
}

/** Unscored for a reason that results count. */
function counted(code: string, explanation: string): Score {
  return { ...unscored(explanation), label: code, counts: { [code]: 1 } }
}

/** Begins the count of a module that the sandbox lacks and the code of an answer uses. */
export const moduleCount = 'missing_module:'
/** Begins the count of a version of Python that the code of an answer needs and the sandbox is older than. */
export const newerCount = 'newer_python:'

/** The output does not decide between answers: no verdict, and no blame. */
export function ambiguous(explanation: string, answer: string | null = null): Score {
  return { ...unscored(explanation, answer), label: 'ambiguous' }
}

/** A verdict would have taken longer than it is worth. */
export function tooSlow(explanation: string): Score {
  return { value: null, class: 'too_slow', answer: null, answerSpan: null, explanation }
}

/** A text in an explanation: quoted, control characters visible, cut after 80 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** "is 18" or "is one of 18, 19": the targets in an explanation. */
export function describeTargets(targets: readonly string[]): string {
  if (targets.length === 0) return 'no target was given'
  if (targets.length === 1) return `the target is ${quote(targets[0] ?? '')}`
  const shown = targets.slice(0, 5).map(quote).join(', ')
  return `the targets are ${shown}${targets.length > 5 ? ` and ${targets.length - 5} more` : ''}`
}
