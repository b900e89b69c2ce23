import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { NewPackage } from '../../../../src/contract/creator/manifest.schemas.ts'
import { openPackage } from '../../../../src/engine/importing/packages/open-package.ts'
import { readPackage, runStillCheck, type StillCheck } from '../../../../src/engine/importing/packages/run-check.ts'
import { packageZip } from '../../../support/packages.ts'

const folder = new URL('../../../../../shared/data/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8')
const lines = (path: string) =>
  read(path)
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Record<string, unknown>) // the published form
const choices = { id: 'id', input: 'question', target: 'answer', choices: 'choices' }

async function checks(rows: readonly Record<string, unknown>[], fields?: NewPackage['manifest']['fields']) {
  const read = await readPackage(openPackage(packageZip(rows, fields ? { fields } : {})))
  expect(read.read.problems).toEqual([])
  return (check: StillCheck) => runStillCheck(check, read, { publicKey: null, knownElsewhere: () => () => false })
}

describe.skipIf(!existsSync(folder))('checks of published benchmarks (skipped where ../shared/data is absent)', () => {
  test('TruthfulQA fails as published, where the first choice is always right, and passes shuffled', async () => {
    const questions = JSON.parse(read('truthfulqa/mc_task.json')) as { question: string; mc1_targets: Record<string, number> }[] // the published form
    const rows = (turn: (i: number) => number) =>
      questions.map(({ question, mc1_targets }, i) => {
        const texts = Object.keys(mc1_targets)
        const right = texts.find(text => mc1_targets[text] === 1) ?? ''
        const by = turn(i) % texts.length
        return { id: `q-${i}`, question, choices: [...texts.slice(by), ...texts.slice(0, by)], answer: right }
      })
    const published = (
      await checks(
        rows(() => 0),
        choices,
      )
    )('answer_position')
    expect(published).toMatchObject({ outcome: 'fail', figures: { tasks: 790, share: 1, position: 1 } })
    const shuffled = (
      await checks(
        rows(i => Math.imul(i + 1, 0x9e3779b1) >>> 8),
        choices,
      )
    )('answer_position')
    expect(shuffled.outcome).toBe('pass')
  })

  test('GSM8K has no leak and no near duplicates', async () => {
    const rows = lines('gsm8k/test.jsonl').map(({ question, answer }, i) => ({
      id: `g-${i}`,
      question,
      answer: String(answer).split('#### ')[1],
    }))
    const check = await checks(rows)
    expect(check('target_leak')).toMatchObject({ outcome: 'pass', figures: { leaking: 0 } })
    expect(check('near_duplicates')).toMatchObject({ outcome: 'pass', figures: { near_duplicates: 0 } })
  })

  test('BBH boolean expressions have no duplicates, since punctuation is the question', async () => {
    const { examples } = JSON.parse(read('bbh/boolean_expressions.json')) as { examples: { input: string; target: string }[] } // the published form
    const check = await checks(examples.map(({ input, target }, i) => ({ id: `b-${i}`, question: input, answer: target })))
    expect(check('exact_duplicates')).toMatchObject({ outcome: 'pass', figures: { tasks: 250, duplicates: 0 } })
    expect(check('near_duplicates').outcome).not.toBe('fail')
    expect(check('tasks').figures['chance']).toBe(0.5)
  })

  test('Sanitized MBPP repeats tasks of its own, which warns', async () => {
    const published = JSON.parse(read('mbpp/sanitized-mbpp.json')) as { task_id: number; prompt: string; code: string }[] // the published form
    const check = await checks(
      published.map(({ task_id, prompt, code }) => ({ id: String(task_id), question: prompt, code })),
      { id: 'id', input: 'question', reference: 'code' },
    )
    expect(check('exact_duplicates')).toMatchObject({ outcome: 'warn', figures: { tasks: 427, duplicates: 2 } })
  })

  test('AGIEval’s answers are among the listed choices, which is no leak', async () => {
    const rows = lines('agieval/sat-math.jsonl').map(({ question, options, label }, i) => ({
      id: `a-${i}`,
      question,
      choices: options,
      answer: label,
    }))
    expect((await checks(rows, choices))('target_leak')).toMatchObject({ outcome: 'pass', figures: { leaking: 0 } })
  })
})
