import { lazily } from '../../../../lib/lazily.ts'
import { lastMatch } from '../patterns/pattern.ts'
import { userPattern } from '../patterns/user-pattern.ts'
import { strip } from '../python/strings.ts'
import type { Extraction } from '../verdict.ts'

// On RE2, because both let three quantifiers compete for the same spaces. Compiled when first used, which takes 25 ms.
const ownLine = lazily(() => userPattern(String.raw`(?im)^ANSWER\s*:\s*([A-Za-z\d ,]+)\s*(?:$|\n|\.)`))
const anywhere = lazily(() => userPattern(String.raw`(?i)ANSWER\s*:\s*([A-Za-z\d ,]+)(?:[^\w]|\n|$|\.)`))

/**
 * Releases of Inspect whose rules differ. 0.3.259 takes several choices with an empty place among them ("A, B, and C"), 0.3.260 a single
 * one with a comma after it ("A,"). 0.3.258 stands for those since 0.3.221.
 */
export const choiceReleases = ['0.3.258', '0.3.259', '0.3.260'] as const
export type ChoiceRelease = (typeof choiceReleases)[number]

/** The rule of a release; the newest one for those that are later, or earlier than the rules here. */
export function choiceReleaseOf(version: string): ChoiceRelease {
  const number = Number(/^0\.3\.(\d{1,6})(?!\d)/.exec(version)?.[1] ?? Number.NaN)
  return number === 259 ? '0.3.259' : number >= 221 && number < 259 ? '0.3.258' : '0.3.260'
}

/** The label of the choice at a position: A to Z, then 1, 2, and so on. */
export function choiceLabel(position: number): string {
  return position < 26 ? String.fromCharCode(65 + position) : String(position - 25)
}

/** The choices as a prompt shows them, each on a line behind its label. */
export function letteredChoices(choices: readonly string[]): string {
  return choices.map((choice, position) => `${choiceLabel(position)}) ${choice}`).join('\n')
}

/** The position of a label in the target, ignoring case; null when it is not a label. */
export function choicePosition(label: string): number | null {
  if (/^[A-Za-z]$/.test(label)) return label.toUpperCase().charCodeAt(0) - 65
  return /^[1-9]\d*$/.test(label) ? Number(label) + 25 : null
}

/**
 * The labels that an output marks after its last "ANSWER:", in order; none when it names anything but allowed labels. A line of its
 * own is preferred. Several may be written as "A, B", "A and B", "A B" or "AB"; without `multiple` exactly one is accepted.
 */
export function parseAnswers(output: string, choices: number, multiple: boolean, release: ChoiceRelease = '0.3.260'): readonly string[] {
  const found = markedAnswer(output)
  return found ? allowedLabels(found.text, choices, multiple, release) : []
}

/** What follows the last "ANSWER:", and where it is in the output. */
export function markedAnswer(output: string): Extraction | null {
  const first = output.search(/answer/i)
  if (first < 0) return null
  const from = output.lastIndexOf('\n', first) + 1
  const text = output.slice(from)
  const found = (lastMatch(ownLine(), text) ?? lastMatch(anywhere(), text))?.groups[1]
  return found ? { text: found.text, start: from + found.start, end: from + found.end } : null
}

function allowedLabels(found: string, choices: number, multiple: boolean, release: ChoiceRelease): readonly string[] {
  const text = strip(found).replace(/\.$/, '').toUpperCase()
  const allowed = Array.from({ length: choices }, (_, position) => choiceLabel(position))
  if (!multiple) {
    if (release !== '0.3.260') return allowed.includes(text) ? [text] : []
    const tokens = text
      .split(',')
      .map(token => strip(token))
      .filter(token => token !== '')
    return tokens.length === 1 && tokens.every(token => allowed.includes(token)) ? tokens : []
  }
  const joined = text.replaceAll(' AND ', ',').replaceAll(' ', '')
  const listed = joined.split(',')
  const readings = [release === '0.3.258' ? listed : listed.filter(token => token !== ''), [...joined]]
  const marked = readings.find(tokens => tokens.length > 0 && tokens.every(token => allowed.includes(token)))
  return marked ? allowed.filter(label => marked.includes(label)) : []
}
