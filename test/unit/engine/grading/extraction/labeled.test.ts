import { describe, expect, test } from 'vitest'
import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'
import type { Score } from '../../../../../src/engine/grading/scorers/scorer.ts'
import { laterLetters, laterNumbers, laterOthers } from './later-answers.ts'
import { letterAnswers, type LetterGroup } from './letter-answers.ts'
import { numberAnswers, type NumberAnswer } from './number-answers.ts'
import { otherAnswers, type OtherAnswer } from './other-answers.ts'
import { pairedAnswers } from './paired-answers.ts'
import { pairedLetters } from './paired-letters.ts'
import { plainAnswers } from './plain-answers.ts'

/** What a person says of an answer against a target, and what the scorer says. */
type Verdict = 'right' | 'wrong' | 'unscored'
interface Judgment {
  readonly answer: string
  readonly person: Verdict
  readonly scorer: Verdict
}

function verdictOf({ value }: Score): Verdict {
  return value === null ? 'unscored' : value === 1 ? 'right' : 'wrong'
}

/** Every answer against each letter as the target. */
function letterJudgments(groups: readonly LetterGroup[]): Judgment[] {
  return groups.flatMap(({ choices, answers }) =>
    answers.flatMap(([output, label]) =>
      choices.map((_, position) => {
        const target = String.fromCharCode(65 + position)
        const person = label === 'several' ? 'unscored' : label === target ? 'right' : 'wrong'
        const scorer = verdictOf(gradeOne({ scorer: 'assay/choice' }, { output, targets: [target], choices }))
        return { answer: `${JSON.stringify(output)} for ${target}`, person, scorer }
      }),
    ),
  )
}

/** Every answer against its own number, and against every number that another answer of the list gives. */
function numberJudgments(labeled: readonly NumberAnswer[]): Judgment[] {
  const targets = [...new Set(labeled.map(([, label]) => label).filter(label => label !== 'several' && label !== 'none'))]
  return labeled.flatMap(([output, label]) =>
    targets
      // A percent sign or a unit may be meant or not: those readings are tested by themselves.
      .filter(target => target === label || !/%|percent/.test(output))
      .map(target => {
        const person = label === 'several' ? 'unscored' : isSame(label, target) ? 'right' : 'wrong'
        return {
          answer: `${JSON.stringify(output)} for ${target}`,
          person,
          scorer: verdictOf(gradeOne({ scorer: 'assay/numeric' }, { output, targets: [target] })),
        }
      }),
  )
}

function isSame(a: string, b: string): boolean {
  const value = (text: string) => (text.includes('/') ? Number(text.split('/')[0]) / Number(text.split('/')[1]) : Number(text))
  return a === b || (!/\d{16}/.test(a + b) && value(a) === value(b))
}

function otherJudgments(labeled: readonly OtherAnswer[]): Judgment[] {
  return labeled.map(([spec, output, target, person]) => ({
    answer: `${spec.scorer} of ${JSON.stringify(output)} for ${target}`,
    person,
    scorer: verdictOf(gradeOne(spec, { output, targets: [target] })),
  }))
}

/** Counts by what a person says and what the scorer says. */
function confusion(judgments: readonly Judgment[]): Record<string, number> {
  const table: Record<string, number> = {}
  for (const { person, scorer } of judgments) table[`${person} as ${scorer}`] = (table[`${person} as ${scorer}`] ?? 0) + 1
  return table
}

describe('answers labeled by hand', () => {
  const count = letterAnswers.reduce((sum, { answers }) => sum + answers.length, 0) + numberAnswers.length + otherAnswers.length

  test('are at least 400', () => expect(count).toBeGreaterThanOrEqual(400))

  test.each([
    ['letters', letterJudgments(letterAnswers)],
    ['numbers', numberJudgments(numberAnswers)],
    ['texts, JSON and dates', otherJudgments(otherAnswers)],
    ['letters, written later', letterJudgments(laterLetters)],
    ['numbers, written later', numberJudgments(laterNumbers)],
    ['texts, JSON and dates, written later', otherJudgments(laterOthers)],
  ])('are judged as a person judges them: %s', (_, judgments) => {
    const table = confusion(judgments)
    const falseRight = judgments.filter(({ person, scorer }) => scorer === 'right' && person !== 'right')
    const others = judgments.filter(({ person, scorer }) => scorer !== 'right' && person !== scorer)
    // A false "right" costs ten times as much as any other difference.
    expect(10 * falseRight.length + others.length, JSON.stringify({ table, falseRight, others }, null, 1)).toBe(0)
  })

  test('are right, or not, as a person says of answers in the styles of today', () => {
    const differing = [...pairedLetters, ...pairedAnswers, ...plainAnswers].flatMap(({ spec, choices, answers }) =>
      answers.flatMap(([output, target, person]) => {
        const { value } = gradeOne(spec, { output, targets: [target], ...(choices && { choices }) })
        return (value === 1) === (person === 'right') ? [] : [`${spec.scorer} of ${JSON.stringify(output)} for ${target}: ${value}`]
      }),
    )
    expect(differing).toEqual([])
  })
})
