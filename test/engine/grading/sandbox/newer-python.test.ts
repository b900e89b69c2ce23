import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../../../src/engine/grading/sandbox/sandbox.ts'
import { prepareCodeScorer } from '../../../../src/engine/grading/scorers/code/code-scorers.ts'
import { everySandbox } from '../../../support/sandbox-scope.ts'
import { tierHere } from './sandboxed.ts'

/** What an answer uses, the first minor version of Python 3 that has it, and a program that prints 6. */
const features: readonly (readonly [name: string, minor: number, code: string])[] = [
  ['type parameters', 12, 'def total[T](values: list[T]) -> T:\n    return sum(values)\n\nprint(total([1, 2, 3]))'],
  ['a type alias and quotes within a formatted string', 12, 'type Row = dict[str, int]\nrow: Row = {"a": 6}\nprint(f"{row["a"]}")'],
  ['a default of a type parameter', 13, 'class Box[T = int]:\n    value = 6\n\nprint(Box.value)'],
  [
    'match',
    10,
    'def f(x):\n    match x:\n        case [a, *rest] if rest:\n            return a + sum(rest)\n        case _:\n            return 0\n\nprint(f([1, 2, 3]))',
  ],
  ['a group of exceptions', 11, 'try:\n    x = 6\nexcept* ValueError:\n    x = 0\nprint(x)'],
  ['exceptions without parentheses', 14, 'try:\n    x = 6\nexcept ValueError, TypeError:\n    x = 0\nprint(x)'],
  ['a lazy import', 15, 'lazy import json\nprint(json.dumps(6))'],
  ['unpacking in a comprehension', 15, 'rows = [[1, 2], [3]]\nprint(sum([*row for row in rows]))'],
  ['a new function of a module', 12, 'from itertools import batched, chain\nprint(sum(chain.from_iterable(batched([1, 2, 3], 2))))'],
  ['a new attribute of a module', 12, 'import math\nprint(math.sumprod([1, 2], [2, 2]))'],
  ['a new attribute of heapq', 14, 'import heapq\nh = [1, 6, 3]\nheapq.heapify_max(h)\nprint(h[0])'],
  ['a new keyword', 14, 'print(sum(map(lambda a, b: a + b, [1, 2], [2, 1], strict=True)))'],
  ['a new module', 14, 'from compression import zlib\nprint(len(zlib.compress(b"")) and 6)'],
]

/** No version accepts these. */
const mistakes: readonly (readonly [name: string, code: string])[] = [
  ['a bracket that stays open, after type parameters', 'def f[T](x: T) -> T:\n    return (x\n\nprint(6)'],
  ['the print statement', 'print 6'],
  ['an exception as Python 2 names it', 'try:\n    x = 6\nexcept ValueError, e:\n    x = 0\nprint(x)'],
  ['a formatted string with two names', 'a = b = 6\nprint(f"{a b}")'],
  ['prose', 'The answer is six, as the sum shows.'],
  ['a case without a colon', 'match 6:\n    case 6\n        print(6)'],
  ['an invented function', 'import itertools\nprint(itertools.batches([6], 1))'],
  ['what a version lacks, said and not used', "raise AttributeError(\"module 'itertools' has no attribute 'batches'\")"],
  ['an invented keyword', 'print(sum([6], strict=True))'],
]

const task = { test_type: 'stdin', tests: [{ input: '', output: '6' }] }

describe.each(['linux', 'portable'] as const)('code for a newer Python in the %s tier', id => {
  // A process in WebAssembly takes a second.
  const few = <Item>(all: readonly Item[]) => (id === 'portable' && !everySandbox ? all.filter((_, i) => i % 7 === 0) : all)
  let sandbox: Sandbox | null = null
  let minor = 0
  beforeAll(async () => {
    const tier = await tierHere(id)
    if (typeof tier === 'string') return
    sandbox = createSandbox(tier, 2)
    const [, of = '', version = ''] = /(Python 3\.|pyodide 3)(\d+)/.exec(tier.interpreter) ?? []
    expect(of).not.toBe('')
    minor = Number(version)
  })
  afterAll(() => sandbox?.close())
  const grade = (code: string) =>
    prepareCodeScorer(
      { scorer: 'livecodebench/all_tests' },
      { python: sandbox, javascript: null },
    )({
      output: `\`\`\`python\n${code}\n\`\`\``,
      targets: [],
      metadata: task,
    })

  test('has no verdict and names the version, and is graded where the sandbox has it', async context => {
    context.skip(sandbox === null, 'This machine has no such tier.')
    const scores = await Promise.all(few(features).map(async ([name, since, code]) => [name, since, await grade(code)] as const))
    expect(scores.map(([name, , { value, label, counts }]) => [name, value, label, counts])).toEqual(
      few(features).map(([name, since]) =>
        since > minor ? [name, null, 'newer_python', { [`newer_python:3.${since}`]: 1 }] : [name, 1, 'passed', undefined],
      ),
    )
    expect(scores.some(([, since]) => since > minor)).toBe(true)
    expect(scores.find(([, since]) => since > minor)?.[2].explanation).toMatch(/needs Python 3\.1\d, and the sandbox has an older one/)
  })

  test('is wrong where no version accepts it', async context => {
    context.skip(sandbox === null, 'This machine has no such tier.')
    const scores = await Promise.all(few(mistakes).map(async ([name, code]) => [name, (await grade(code)).value] as const))
    // What Python 2 wrote for a name of an exception is a tuple of exceptions since 3.14.
    expect(scores).toEqual(few(mistakes).map(([name]) => [name, name === 'an exception as Python 2 names it' && minor >= 14 ? 1 : 0]))
  })

  test('has no verdict as a function and as an edit of a workbook either', async context => {
    context.skip(sandbox === null, 'This machine has no such tier.')
    const given = (scorer: string, code: string, metadata: Record<string, unknown>) =>
      prepareCodeScorer(
        { scorer },
        { python: sandbox, javascript: null },
      )({
        output: `\`\`\`python\n${code}\n\`\`\``,
        targets: [],
        metadata,
      })
    const unscored = { value: null, label: 'newer_python', counts: { 'newer_python:3.15': 1 } }
    const lazily = (signature: string, result: string) => `lazy import json\n\ndef ${signature}:\n    return ${result}`
    const evens = { prompt: '', entry_point: 'evens', test_list: ['assert evens([1, 2]) == [2]'] }
    expect(await given('evalplus/base', lazily('evens(ns)', '[n for n in ns if n % 2 == 0]'), evens)).toMatchObject(unscored)
    const workbook = { cases: [{ input: { A: { A1: '1' } }, answer: { A: { A1: '1' } } }] }
    expect(await given('spreadsheetbench/hard', lazily('edit(sheets)', 'sheets'), workbook)).toMatchObject(unscored)
  })
})
