import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { prepareScorer } from '../../../../../src/engine/grading/scorers/registry.ts'

const folder = new URL('../../../../../../shared/data/gsm8k/', import.meta.url)
const solutions = new URL('example_model_solutions.jsonl', folder)
const testSet = new URL('test.jsonl', folder)

interface Recorded {
  readonly solution: string
  readonly is_correct: boolean
}

describe.skipIf(!existsSync(solutions) || !existsSync(testSet))(
  'GSM8K recorded solutions (skipped where ../shared/data/gsm8k is absent)',
  () => {
    test.each([
      ['6b_finetuning', 286],
      ['6b_verification', 515],
      ['175b_finetuning', 458],
      ['175b_verification', 742],
    ])('%s has %i of 1,319 right, each as its own label says', (column, expected) => {
      const score = prepareScorer({ scorer: 'assay/exact_match', options: { extraction: 'answer_line', remove: [','] } })
      const tasks = rowsOf<{ answer: string }>(testSet)
      const outputs = rowsOf<Record<string, Recorded>>(solutions)
      expect(outputs).toHaveLength(1319)
      let right = 0
      let disagreements = 0
      for (const [i, row] of outputs.entries()) {
        const recorded = row[column]
        const target = tasks[i]?.answer.split('#### ')[1]
        if (!recorded || target === undefined) throw new Error(`row ${i} lacks ${column} or its answer`)
        const { value } = score({ output: recorded.solution, targets: [target] })
        right += value ?? 0
        if ((value === 1) !== recorded.is_correct) disagreements++
      }
      expect({ right, disagreements }).toEqual({ right: expected, disagreements: 0 })
    })
  },
)

/** Test data of a known shape, so the rows are not parsed further. */
function rowsOf<Row>(file: URL): Row[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Row)
}
