import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noSandboxes } from '../../../../../src/engine/grading/sandbox/sandbox.ts'
import { RowGrader } from '../../../../../src/engine/grading/scorers/row-grader.ts'
import { program } from '../../../../support/program.ts'

const row = { scorer: 'assay/exact_match', options: {}, output: 'a', target: 'a' }

describe('grading rows', () => {
  const grader = new RowGrader(() => Promise.resolve(noSandboxes))

  test.each([
    [row, 1],
    [{ ...row, target: ['b', 'a'] }, 1],
    [{ ...row, options: null, target: null }, null],
    [{ scorer: 'evalplus/base', output: 'x = 1', target: null, metadata: {} }, null],
    [{ ...row, output: '<think>b</think>\na' }, 1],
    [{ scorer: 'inspect_ai/match', options: { location: 'begin' }, output: '<think>b</think>a', target: 'a' }, 1],
    [{ scorer: 'assay/choice', output: 'B', target: 'y', choices: ['x', 'y'], id: 7 }, 1],
  ])('%j is %s', async (line, expected) => expect((await grader.grade(JSON.stringify(line))).value).toBe(expected))

  test.each([
    ['{', /not JSON/],
    ['{"scorer": "assay/f1"}', /output/],
    ['{"scorer": "x/y", "output": ""}', /no scorer "x\/y"/],
    ['{"scorer": "assay/f1", "options": {"a": 1}, "output": ""}', /options of assay\/f1: "options" has unknown field "a"/],
  ])('%s is refused', (line, message) => expect(grader.grade(line)).rejects.toThrow(message))
})

describe('npm run score', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-score-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function run(args: readonly string[]): { status: number | null; out: string[]; err: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'score', ...args], { encoding: 'utf8' })
    return { status, out: stdout.trimEnd().split('\n'), err: stderr }
  }

  function file(name: string, text: string): string {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  test('prints a line per row, names bad rows by line and continues', () => {
    const rows = file('rows.jsonl', `${JSON.stringify(row)}\n\n{bad\n${JSON.stringify({ ...row, output: 'b' })}\n`)
    const { status, out, err } = run([rows])
    expect(status).toBe(1)
    expect(out.map(line => JSON.parse(line))).toEqual([
      { value: 1, answer: 'a', class: 'correct', explanation: 'The answer is "a"; the target is "a".' },
      { value: 0, answer: 'b', class: 'wrong', explanation: 'The answer is "b"; the target is "a".' },
    ])
    expect(err).toContain('Line 3 was not graded: it is not JSON')
  })

  test('succeeds when every row is graded', () => expect(run([file('good.jsonl', JSON.stringify(row))]).status).toBe(0))

  test('runs code in the sandbox', () => {
    const metadata = { entry_point: 'f', prompt: '', test_list: ['assert f(2) == 4'] }
    const rows = ['def f(x): return 2 * x', 'def f(x): return 5'].map(output =>
      JSON.stringify({ scorer: 'evalplus/base', output, metadata }),
    )
    const { status, out } = run([file('code.jsonl', rows.join('\n'))])
    expect(out.map(line => JSON.parse(line).class)).toEqual(['correct', 'wrong'])
    expect(status).toBe(0)
  })

  test('checks a vectors file', () => {
    const vector = { scorer: 'openai_evals/Match', options: {}, output: 'world', target: 'wor', expected: true }
    const { status, out } = run(['--vectors', file('vectors.json', JSON.stringify([vector, { ...vector, output: 'x' }]))])
    expect(status).toBe(1)
    expect(out).toEqual(['row 2, openai_evals/Match: expected true, got false, for "x" against "wor"', '1 passed, 1 failed'])
    expect(run(['--vectors', file('right.json', JSON.stringify([vector]))]).status).toBe(0)
  })

  test('says how it is used, and what is wrong with a file', () => {
    expect(run([])).toMatchObject({ status: 2, err: expect.stringContaining('Give one file') })
    expect(run([join(folder, 'missing.jsonl')])).toMatchObject({ status: 2, err: expect.stringContaining('missing.jsonl') })
  })
})
