import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'

const shared = new URL('../../../../../../shared/data/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, shared))
const Examples = z.object({ examples: z.array(z.object({ target: z.string() })) })
const Output = z.object({ task: z.string(), index: z.int(), output: z.string() })
const Expected = z.array(z.object({ id: z.string(), expected: z.unknown() }))
const Shares = z.record(z.string(), z.record(z.string(), z.number()))

const grade = (output: string, target: string) => gradeOne({ scorer: 'bbh/exact_match' }, { output, targets: [target] })

describe.skipIf(!existsSync(shared))('the published outputs of BIG-Bench Hard (skipped where ../shared/data is absent)', () => {
  const totals: readonly (readonly [style: string, right: number])[] = [
    ['direct', 3408],
    ['cot', 4816],
  ]
  test.each(totals)('score as published under the %s prompts: %i of 6,511, and each of the 27 tasks', (style, right) => {
    const targets = new Map(
      readdirSync(new URL('bbh/', shared))
        .filter(name => name.endsWith('.json'))
        .map(name => [name.replace('.json', ''), Examples.parse(JSON.parse(read(`bbh/${name}`).toString())).examples]),
    )
    expect(targets.size).toBe(27)
    const outputs = gunzipSync(read(`bbh/code-davinci-002-${style}.jsonl.gz`))
      .toString()
      .trim()
      .split('\n')
    const counts = new Map([...targets].map(([task]) => [task, { right: 0, all: 0 }]))
    for (const line of outputs) {
      const { task, index, output } = Output.parse(JSON.parse(line))
      const count = counts.get(task)
      const target = targets.get(task)?.[index]?.target
      if (!count || target === undefined) throw new Error(`The outputs name ${task} ${index}, which the tasks lack.`)
      count.all++
      count.right += grade(output, target).value ?? 0
    }
    const published = Expected.parse(JSON.parse(read('EXPECTED.json').toString())).find(({ id }) => id === 'bbh-per-task')
    const shares = Shares.parse(published?.expected)[style] ?? {}
    for (const [task, count] of counts)
      expect([task, (100 * count.right) / count.all]).toEqual([task, expect.closeTo(shares[task] ?? -1, 9)])
    expect([...counts.values()].reduce((sum, count) => sum + count.right, 0)).toBe(right)
  })
})

describe('the answer by the rule of BIG-Bench Hard’s authors', () => {
  test.each([
    ['So the answer is ] ] }.', '] ] }'],
    ['So the answer is ] ] }', '] ] }'],
    ['] ] }', '] ] }'],
    ['The answer is 3. No: the answer is 4.\nDone.', '4'],
    [' (B)\n', '(B)'],
    ['So the answer is 3.5.', '3.5'],
  ])('of %j is %j', (output, answer) => {
    expect(grade(output, answer)).toMatchObject({ value: 1, answer })
  })

  test('states the position of the answer', () => {
    expect(grade('So the answer is  (B) .', '(B)').answerSpan).toEqual({ start: 18, end: 21 })
  })

  test('is wrong for anything else', () => {
    expect(grade('B', '(B)').value).toBe(0)
    expect(grade('', '(B)')).toMatchObject({ value: 0, answer: '' })
  })
})
