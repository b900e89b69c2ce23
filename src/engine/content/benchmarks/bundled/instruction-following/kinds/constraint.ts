import type { Draw } from '../../../../../tasks/draw.ts'
import type { Topic } from '../topics/topic.ts'

/**
 * What a constraint decides about an answer: how it begins, how it ends, whether it stands in quotes, how it is laid out, its case, its language, its commas, or a
 * text whose case must stay as it is. Two constraints can stand together when neither excludes what the other decides.
 */
type Aspect = 'start' | 'end' | 'quotes' | 'layout' | 'case' | 'fixed case' | 'language' | 'commas' | 'sentences'

/** A kind of verifiable instruction, named as IFEval names it. */
export interface Constraint {
  readonly id: string
  readonly decides: readonly Aspect[]
  readonly excludes: readonly Aspect[]
  plan(draw: Draw, topic: Topic): Plan
}

/** One instruction of one task. */
interface Plan {
  /** Changes the reference answer while it is still a list of sentences. */
  readonly sentences?: (sentences: readonly string[]) => readonly string[]
  /** Puts the sentences together; a space between them when no instruction says otherwise. */
  readonly layout?: (sentences: readonly string[]) => string
  /** Changes the reference answer as a text; lower ranks go first. */
  readonly frame?: { readonly rank: number; readonly apply: (text: string) => string }
  /** Says the instruction, with its arguments, once the reference answer is final. */
  state(answer: string): { readonly wording: string; readonly kwargs: Readonly<Record<string, unknown>> }
  /** A plausible answer on one line that does not follow this instruction; the plain one where that is enough. */
  readonly broken?: (plain: string, kwargs: Readonly<Record<string, unknown>>) => string
}

/** Order of the changes to the whole text. */
export const rank = { verdict: 0, title: 1, case: 2, ending: 3, quotes: 4, repetition: 5 } as const

/** An answer so general that it uses none of a topic's words. */
export const evasion = 'Sorry.'

export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0
}

/** Repeats a text on one line until it is long enough. */
export function untilLong(text: string, isLongEnough: (text: string) => boolean): string {
  let long = text
  while (!isLongEnough(long)) long = `${long} ${text}`
  return long
}
