import { describe, expect, test } from 'vitest'
import { gsm8k } from '../../../../../src/engine/importing/recipes/readable/gsm8k.ts'
import { contentDigest } from '../../../../../src/engine/content/benchmarks/content-digest.ts'
import { checkImport, importedTasks } from '../../../../../src/engine/importing/files/check-import.ts'
import type { FileContent } from '../../../../../src/engine/importing/files/import-source.ts'
import { noShots } from '../../../../../src/engine/importing/files/import-tally.ts'
import { mappedTable } from '../../../../../src/engine/importing/files/mapped-table.ts'
import { collect, limitsWith, sourceOf } from './given.ts'

const rows = (count: number, answer = 1) =>
  Array.from({ length: count }, (_, i) => `{"question": "q${i}", "answer": "#### ${i + answer}"}\n`).join('')
const contentOf = (role: string): FileContent => {
  const content = gsm8k.files.find(file => file.role === role)?.content
  if (!content) throw new Error(`GSM8K has no file ${role}`)
  return content
}
const shots = (count: number) => ({ count, by: null })
const [testFile, trainFile] = [contentOf('test'), contentOf('train')]

describe('a checked import', () => {
  test('has the digest of the tasks that it will bring, and of the examples it keeps', async () => {
    const sources = [sourceOf(testFile, rows(7)), sourceOf(trainFile, rows(3))]
    const check = await checkImport(sources, shots(2))
    const tasks = await collect(importedTasks(sources))
    expect(tasks.map(task => task.id)).toEqual(['test-0001', 'test-0002', 'test-0003', 'test-0004', 'test-0005', 'test-0006', 'test-0007'])
    expect(check.shots).toHaveLength(2)
    expect(check.digest).toBe(contentDigest(tasks, check.shots))
    expect(check.rows).toEqual({ read: 10, valid: 10, invalid: 0, examples: 3 })
  })

  test('depends on every answer, on the order and on the examples, and on nothing else', async () => {
    const digest = async (text: string, examples = rows(2)) =>
      (await checkImport([sourceOf(testFile, text), sourceOf(trainFile, examples)], shots(5))).digest
    const [first = '', second = ''] = rows(2).split('\n')
    const original = await digest(rows(2))
    expect(await digest(`\uFEFF${first}\r\n${second}`)).toBe(original)
    expect(await digest(`${second}\n${first}\n`)).not.toBe(original)
    expect(await digest(rows(2, 5))).not.toBe(original)
    expect(await digest(rows(2), rows(1))).not.toBe(original)
  })

  test('keeps the rows that are wrong by their number and the whole count', async () => {
    const check = await checkImport([sourceOf(testFile, '{"question": "q"}\n'.repeat(300))], noShots)
    expect(check.problems).toHaveLength(100)
    expect(check.problems[99]).toEqual({ file: 'data', line: 100, message: 'The field "answer" is missing.' })
    expect(check).toMatchObject({ problemCount: 300, columns: ['question'] })
  })

  test('stops after a thousand bad rows and says so', async () => {
    let read = 0
    const endless = async function* () {
      for (;;) {
        read++
        yield Buffer.from('{}\n'.repeat(1_000))
      }
    }
    const check = await checkImport([{ name: 'data', content: testFile, open: endless }, sourceOf(trainFile, rows(2))], noShots)
    expect(check.rows).toEqual({ read: 1_000, valid: 0, invalid: 1_000 })
    expect(check.problems).toHaveLength(100)
    expect(check.problems[99]).toEqual({
      file: 'data',
      line: null,
      message: 'Reading stopped after 1000 bad rows, so the rest was not checked. Fix these and import the file again.',
    })
    expect(check.contentSha256).toEqual(new Map())
    expect(read).toBeLessThan(20)
  })

  test('refuses rows of more than a thousand fields and keeps no more than two hundred column names', async () => {
    const wide = (fields: number) => JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, i) => [`c${i}`, i])))
    const check = await checkImport([sourceOf(testFile, `${wide(1_001)}\n${wide(1_000)}\n`)], noShots)
    expect(check.problems.map(({ message }) => message)).toEqual([
      'The row has 1001 fields, and at most 1000 are read.',
      'The field "question" is missing.',
    ])
    expect(check.columns).toHaveLength(200)
    const nested = JSON.stringify({ question: 'q', answer: '1', more: JSON.parse(wide(10_001)) })
    expect((await checkImport([sourceOf(testFile, nested)], noShots)).problems[0]?.message).toContain('An object has 10001 keys')
  })

  test('names where an id was used before', async () => {
    const ids = mappedTable({ kind: 'jsonl' }, {}).content
    const check = await checkImport(
      [sourceOf(ids, '{"id": 7, "input": "a", "target": 1}\n{"id": "7", "input": "b", "target": 2}')],
      noShots,
    )
    expect(check.problems).toEqual([{ file: 'data', line: 2, message: 'The id "7" was already used on line 1 of data.' }])
  })

  test('stops at the most tasks that an import may hold', async () => {
    const check = await checkImport([sourceOf(testFile, rows(10))], noShots, limitsWith({ tasks: 4 }))
    expect(check).toMatchObject({ problemCount: 1, rows: { read: 5, valid: 4, invalid: 1 } })
  })

  test('notices that a file changed between checking and writing', async () => {
    let opened = 0
    const source = { name: 'data', content: testFile, open: () => sourceOf(testFile, opened++ === 0 ? rows(2) : '{}').open() }
    await checkImport([source], noShots)
    await expect(collect(importedTasks([source]))).rejects.toThrow('data changed while it was being imported')
  })
})
