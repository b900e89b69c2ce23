import { splitLines } from '../../python/strings.ts'
import { answerCandidates, isShortComposite, looksLikeProse, stripDelimiters, targetCandidates } from './candidates.ts'
import { isEquivalent } from './equivalent.ts'
import { MathLimitError, MathParseError, MathUnsafeError } from './errors.ts'
import { checkLimits } from './limits.ts'
import type { MathNode } from './math-node.ts'
import { parseExpression } from './parse-latex.ts'
import { trimEndOf } from '../../../../../lib/trim-end.ts'
import { messageOf } from '../../../../../lib/message-of.ts'

/** What a candidate means: an expression, or words that only equal themselves. */
type Meaning = { readonly kind: 'expression'; readonly node: MathNode } | { readonly kind: 'words'; readonly words: string }

export type MathStatus = 'correct' | 'incorrect' | 'answer_parse_error' | 'answer_limit' | 'target_parse_error'

export interface MathGrade {
  readonly status: MathStatus
  /** The candidate that was compared; null when none could be read. */
  readonly answer: string | null
  /** Why, for the statuses that are not a verdict on the value. */
  readonly reason: string | null
}

const percent = /\s*(?:\\?%|\\text\s{0,8}\{\s{0,8}(?:percent(?:age)?|pct)\s{0,8}\}|\s(?:percent(?:age)?|pct))\s*$/i

/** Inspect's `math`: the first candidate that can be read, compared with each target by value. */
export function gradeMath(output: string, targets: readonly string[]): MathGrade {
  const wanted: Meaning[] = []
  let targetError = 'there is no target'
  for (const target of targets) {
    try {
      wanted.push(firstMeaning(targetCandidates(target)))
    } catch (error) {
      targetError = messageOf(error)
    }
  }
  if (wanted.length === 0) return { status: 'target_parse_error', answer: null, reason: targetError }
  try {
    return gradeCandidates(answerCandidates(output), wanted)
  } catch (error) {
    return { status: error instanceof MathLimitError ? 'answer_limit' : 'answer_parse_error', answer: null, reason: messageOf(error) }
  }
}

/**
 * The first candidate that can be read decides. Where it is words, a later one that is an expression may still be right, as the number in
 * "42 because geometry proves it"; it cannot make the answer wrong.
 */
function gradeCandidates(candidates: Iterable<string>, wanted: readonly Meaning[]): MathGrade {
  let failure: unknown = new MathParseError('no answer was found')
  let words: string | null = null
  for (const candidate of candidates) {
    try {
      const meaning = meaningOf(candidate)
      const isRight = wanted.some(target => meansSame(meaning, target))
      if (isRight && (words === null || meaning.kind === 'expression')) return { status: 'correct', answer: candidate, reason: null }
      if (meaning.kind === 'expression' && words === null) return { status: 'incorrect', answer: candidate, reason: null }
      words ??= candidate
    } catch (error) {
      if (error instanceof MathLimitError || error instanceof MathUnsafeError) throw error
      failure = error
    }
  }
  if (words !== null) return { status: 'incorrect', answer: words, reason: null }
  throw failure
}

function firstMeaning(candidates: Iterable<string>): Meaning {
  let failure: unknown = new MathParseError('it is empty')
  for (const candidate of candidates) {
    try {
      return meaningOf(candidate)
    } catch (error) {
      if (error instanceof MathLimitError || error instanceof MathUnsafeError) throw error
      failure = error
    }
  }
  throw failure
}

function meaningOf(text: string): Meaning {
  const candidate = stripDelimiters(text)
  checkLimits(candidate)
  const suffix = percent.exec(candidate)
  const base = suffix && parsedOrNull(candidate.slice(0, suffix.index))
  if (base) return { kind: 'expression', node: { kind: 'call', head: 'Divide', args: [base, { kind: 'number', text: '100' }] } }
  const words = { kind: 'words', words: normalizeWords(candidate) } as const
  const isWords = looksLikeProse(candidate) || isShortComposite(candidate) || /^[A-Za-z]{2,}$/.test(candidate)
  if (isWords) return words
  const node = parsedOrNull(candidate) ?? parsedOrNull(rightSide(candidate))
  if (node) return { kind: 'expression', node }
  if (/[A-Za-z]{2,}/.test(words.words)) return words
  throw new MathParseError('the answer cannot be read as mathematics')
}

function parsedOrNull(text: string | null): MathNode | null {
  if (text === null) return null
  try {
    return parseExpression(text)
  } catch (error) {
    if (error instanceof MathLimitError) throw error
    return null
  }
}

function rightSide(candidate: string): string | null {
  const sides = candidate.split(/(?<![<>!=])=(?!=)/)
  return sides.length === 2 ? (sides[1] ?? null) : null
}

function meansSame(answer: Meaning, target: Meaning): boolean {
  if (answer.kind === 'words' || target.kind === 'words')
    return answer.kind === 'words' && target.kind === 'words' && answer.words === target.words
  return isEquivalent(answer.node, target.node)
}

function normalizeWords(text: string): string {
  const bare = text.replace(/\\(?:text|mathrm|mbox)\s{0,8}\{([^{}]*)\}/g, '$1').replaceAll('\\ ', ' ')
  const words = splitLines(bare)
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .,;:]+/, '')
  return trimEndOf(words, /[ .,;:]/).toLowerCase()
}
