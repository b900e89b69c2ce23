import { describe, expect, test } from 'vitest'
import { findRecipe } from '../../../../src/engine/importing/recipes/recipes.ts'
import { prepareCodeScorer } from '../../../../src/engine/grading/scorers/code/code-scorers.ts'
import { compareSheets } from '../../../../src/engine/grading/scorers/code/spreadsheet.scorer.ts'
import { parsePythonLiteral } from '../../../../src/engine/grading/scorers/python/literal.ts'
import type { PyValue } from '../../../../src/engine/grading/scorers/python/values.ts'
import { answerCells } from '../../../../src/engine/grading/spreadsheets/answer-position.ts'
import { readWorkbook, type Workbook } from '../../../../src/engine/grading/spreadsheets/read-workbook.ts'
import type { Task } from '../../../../src/engine/tasks/task.ts'
import { everySandbox, inScope } from '../../../support/sandbox-scope.ts'
import { useSandbox } from './sandboxed.ts'
import { hasSharedData, readShared, sharedLines, withoutSharedData } from '../../../support/shared-data.ts'
import { patience } from '../../../support/machine-speed.ts'

const sandbox = useSandbox()

describe.skipIf(!hasSharedData)(`code that others have published ${withoutSharedData}`, () => {
  test('HumanEval: 164 of 164 reference solutions pass', { timeout: 300_000 * patience() }, async () => {
    const tasks = tasksOf('humaneval', sharedLines('humaneval/HumanEval.jsonl.gz'))
    const scores = await grade(tasks, task => String(task.metadata['canonical_solution']))
    expect(scores.filter(({ value }) => value === 1)).toHaveLength(164)
    expect(await passing(tasks.slice(0, 40), task => String(task.metadata['wrong_output']))).toBe(0)
  })

  test('Reflexion’s samples get exactly their labels: 150 of 164', { timeout: 300_000 * patience() }, async () => {
    const rows = sharedLines('humaneval/reflexion_gpt4_humaneval_py.jsonl')
    const scores = await grade(tasksOf('humaneval', rows), (_, i) => String(rows[i]?.['solution']))
    expect(scores.map(({ value }) => value === 1)).toEqual(rows.map(row => row['is_solved']))
    expect(scores.filter(({ value }) => value === 1)).toHaveLength(150)
  })

  test(`sanitized MBPP: ${everySandbox ? '427 of 427 reference programs' : 'each eighth of the 427 reference programs (all in npm run test:sandbox)'} pass`, {
    timeout: 300_000 * patience(),
  }, async () => {
    const rows: Record<string, unknown>[] = JSON.parse(readShared('mbpp/sanitized-mbpp.json').toString('utf8'))
    expect(rows).toHaveLength(427)
    const tasks = inScope(tasksOf('mbpp', rows))
    const scores = await grade(tasks, task => String(task.metadata['reference_output']))
    expect(scores.flatMap(({ value, explanation }, i) => (value === 1 ? [] : [`${tasks[i]?.id}: ${explanation}`]))).toEqual([])
    expect(scores).toHaveLength(everySandbox ? 427 : 54)
  })

  test('SpreadsheetBench: 30 of 30 answers are right as outputs, and 0 of 30 inputs', () => {
    const items: { id: string | number; answer_position: string; spreadsheet_path: string }[] = JSON.parse(
      readShared('spreadsheetbench/dataset_50.json').toString('utf8'),
    )
    const outcomes = items.flatMap(({ id, answer_position: position, spreadsheet_path: path }) =>
      [1, 2, 3].flatMap(number => {
        const file = (kind: string) => `spreadsheetbench/${path}/${number}_${id}_${kind}.xlsx`
        if (!exists(file('answer'))) return []
        const answer = readWorkbook(readShared(file('answer')))
        const input = readWorkbook(readShared(file('input')))
        const wanted = answerCells(answer, position)
        return [{ answer: compareSheets(asPython(answer), wanted), input: compareSheets(asPython(input), wanted) }]
      }),
    )
    expect(outcomes).toHaveLength(30)
    expect(outcomes.filter(({ answer }) => answer === null)).toHaveLength(30)
    expect(outcomes.filter(({ input }) => input === null)).toHaveLength(0)
  })
})

function tasksOf(slug: string, rows: readonly Record<string, unknown>[]): Task[] {
  const content = findRecipe(slug)?.files[0]?.content
  if (content?.holds !== 'tasks') throw new Error(`${slug} cannot be read`)
  return rows.map((value, i) => content.read({ line: i + 1, position: i + 1, value }))
}

function grade(tasks: readonly Task[], output: (task: Task, i: number) => string) {
  const score = prepareCodeScorer({ scorer: 'evalplus/base' }, { python: sandbox(), javascript: null })
  return Promise.all(tasks.map((task, i) => score({ output: output(task, i), targets: [], metadata: task.metadata })))
}

async function passing(tasks: readonly Task[], output: (task: Task) => string): Promise<number> {
  return (await grade(tasks, output)).filter(({ value }) => value === 1).length
}

function exists(path: string): boolean {
  try {
    return readShared(path).length > 0
  } catch {
    return false
  }
}

function asPython(workbook: Workbook): PyValue {
  const text = (value: string): PyValue => ({ type: 'str', value })
  return {
    type: 'dict',
    entries: [...workbook].map(([name, cells]) => [
      text(name),
      {
        type: 'dict',
        entries: Object.entries(cells).map(([address, literal]) => [text(address), parsePythonLiteral(literal) ?? { type: 'none' }]),
      },
    ]),
  }
}
