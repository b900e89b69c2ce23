import { describe, expect, test } from 'vitest'
import { gradeOne, type ScorerSpec } from '../../../src/engine/grading/scorers/registry.ts'
import { hasSharedData, readShared, sharedLines, withoutSharedData } from '../../support/shared-data.ts'

/** Verdicts of a scorer by what the output itself says in so many words. */
function tally(judgments: readonly { readonly isRight: boolean; readonly value: number | null }[]): Record<string, number> {
  const table: Record<string, number> = {}
  for (const { isRight, value } of judgments) {
    const key = `${isRight ? 'right' : 'wrong'} as ${value === null ? 'unscored' : value === 1 ? 'right' : 'wrong'}`
    table[key] = (table[key] ?? 0) + 1
  }
  return table
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const valueOf = (spec: ScorerSpec, output: string, target: string, choices?: readonly string[]) =>
  gradeOne(spec, { output, targets: [target], ...(choices && { choices }) }).value

interface Statement {
  readonly output: string
  readonly statement: string
  readonly target: string
  readonly choices: readonly string[]
}

/** Chains of thought that end in "the answer is …", with what follows. */
function statements(): Statement[] {
  const examples = new Map<string, { readonly input: string; readonly target: string }[]>()
  return sharedLines('bbh/code-davinci-002-cot.jsonl.gz').flatMap(row => {
    const [task, output] = [text(row['task']), text(row['output'])]
    const of = examples.get(task) ?? JSON.parse(readShared(`bbh/${task}.json`).toString('utf8')).examples
    examples.set(task, of)
    const example = of[Number(row['index'])]
    const statement = /[^]*the answer is ([^]*?)\.?$/.exec(output.trim())?.[1]?.trim()
    if (!example || statement === undefined) return []
    const choices = [...example.input.matchAll(/^\([A-Z]\) (.*)$/gm)].map(match => match[1] ?? '')
    return [{ output, statement, target: example.target, choices }]
  })
}

const letter = (written: string) => /^\(([A-Z])\)$/.exec(written)?.[1]

describe.skipIf(!hasSharedData)(`outputs of real models ${withoutSharedData}`, () => {
  test('give the choice that they state, and no other', () => {
    const judgments = statements().flatMap(({ output, statement, target, choices }) => {
      const [said, wanted] = [letter(statement), letter(target)]
      if (said === undefined || wanted === undefined || choices.length === 0) return []
      return [{ isRight: said === wanted, value: valueOf({ scorer: 'assay/choice' }, output, wanted, choices) }]
    })
    expect(judgments.length).toBeGreaterThan(3000)
    expect(Object.keys(tally(judgments)).toSorted()).toEqual(['right as right', 'wrong as wrong'])
  })

  test('that state two choices, or none of them, are not right', () => {
    const others = statements().filter(({ statement, choices }) => {
      const [, first = '', second = ''] = /^\(([A-Z])\) (?:or|and) \(([A-Z])\)$/.exec(statement) ?? []
      const textOf = (said: string) => choices[said.charCodeAt(0) - 'A'.charCodeAt(0)]
      // Letters of the same text are one choice.
      return first !== '' && choices.length > 0 && textOf(first) !== textOf(second)
    })
    expect(others.length).toBeGreaterThan(50)
    const values = others.map(({ output, target, choices }) => valueOf({ scorer: 'assay/choice' }, output, letter(target) ?? '', choices))
    expect(values.filter(value => value !== null)).toEqual([])
  })

  test('give the text that they state as their final answer', () => {
    const spec = { scorer: 'assay/exact_match', options: { extraction: 'final_answer' } }
    const all = statements()
    expect(all.length).toBeGreaterThan(6000)
    expect(all.filter(({ output, statement }) => valueOf(spec, output, statement) !== 1).map(({ statement }) => statement)).toEqual([])
  })

  test('to grade school problems are judged as their authors judged them', () => {
    const judgments = sharedLines('gsm8k/example_model_solutions.jsonl').flatMap(row => {
      const target = text(row['ground_truth']).split('A: ').at(-1)?.trim() ?? ''
      return ['6b_finetuning', '6b_verification', '175b_finetuning', '175b_verification'].map(model => {
        const { solution, is_correct: isCorrect } = Object(row[model])
        return { isRight: isCorrect === true, value: valueOf({ scorer: 'assay/numeric' }, text(solution), target) }
      })
    })
    expect(judgments).toHaveLength(5276)
    expect(Object.keys(tally(judgments)).toSorted()).toEqual(['right as right', 'wrong as wrong'])
  })

  test('to AQuA give the letter with which they end', () => {
    const judgments = sharedLines('pot/aqua_gpt4.jsonl.gz').flatMap(row => {
      const choices = (Array.isArray(row['options']) ? row['options'] : []).map(option => text(option).replace(/^[A-E]\)/, ''))
      const [output, target] = [text(row['generated_prediction']), text(row['answer'])]
      const said = /^([A-E])\)/.exec(output)?.[1]
      return said === undefined ? [] : [{ isRight: said === target, value: valueOf({ scorer: 'assay/choice' }, output, target, choices) }]
    })
    expect(judgments.length).toBeGreaterThan(100)
    expect(Object.keys(tally(judgments)).toSorted()).toEqual(['right as right', 'wrong as wrong'])
  })
})
