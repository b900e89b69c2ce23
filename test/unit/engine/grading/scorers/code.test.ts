import { describe, expect, test } from 'vitest'
import { checkOutput } from '../../../../../src/engine/grading/scorers/evalplus/check-output.ts'
import { extractPython } from '../../../../../src/engine/grading/scorers/evalplus/extract-code.ts'
import { sanitize } from '../../../../../src/engine/grading/scorers/evalplus/sanitize.ts'
import { compareStdout } from '../../../../../src/engine/grading/scorers/livecodebench/compare.ts'
import { extractCode, extractExecutionAnswer, extractTestOutput } from '../../../../../src/engine/grading/scorers/livecodebench/extract.ts'
import { parsePythonLiteral } from '../../../../../src/engine/grading/scorers/python/literal.ts'
import { NONE } from '../../../../../src/engine/grading/scorers/python/values.ts'
import { cellsOf, softAndHard } from '../../../../../src/engine/grading/scorers/spreadsheetbench/cell-range.ts'
import { grade, valueOf } from './grade.ts'

describe('evalplus output check', () => {
  test.each([
    ['1.0', '1', 0, 1],
    ['0.3000009', '0.3', 0, 1],
    ['[0.1, 0.30000004]', '[0.1, 0.3]', 0, 1],
    ['[0.30000000000000004, 1]', '[0.3, 1]', 0, 0],
    ['[1, 2]', '(1, 2)', 0, 0],
    ['3', '3.0000001', 1e-6, 0],
    ['3.00005', '3.0', 1e-4, 1],
    ['nan', 'nan', 1e-6, 0],
    ['inf', 'inf', 1e-6, 1],
    ["{'a': 0.1}", "{'a': 0.1000001}", 1e-6, 0],
    ['oops(', '1', 0, 0],
    ['1', 'oops(', 0, null],
  ])('%s against %s with tolerance %d is %s', (output, target, atol, expected) =>
    expect(valueOf('evalplus/check_output', { atol }, output, target)).toBe(expected),
  )

  test('keeps the tolerance that a float brought', () => {
    const value = (text: string) => parsePythonLiteral(text) ?? NONE
    expect(checkOutput(value('1.0'), value('1.0'), 0)).toEqual({ isEqual: true, tolerance: 1e-6 })
    expect(checkOutput(value('1'), value('1'), 0)).toEqual({ isEqual: true, tolerance: 0 })
  })

  test.each([
    ['3.0000000001', '3', true],
    ['3', '3.0000000001', true],
    ['[0.30000000000000004, 1]', '[0.3, 1]', true],
    ['[0.3, 1]', '[0.3, 2]', false],
    ['100000001', '100000000', false],
    ["'3.0000000001'", '3', false],
  ])('in JavaScript %s against %s is %s, since a number there is no other type for being whole', (actual, expected, isEqual) => {
    const [got, wanted] = [actual, expected].map(text => parsePythonLiteral(text) ?? NONE)
    expect(checkOutput(got ?? NONE, wanted ?? NONE, 0, 'javascript').isEqual).toBe(isEqual)
  })
})

describe('code out of a reply', () => {
  test('is the longest run of lines that reads as Python', () => {
    const reply = [
      'Sure, here you go',
      'x = 1',
      'and that is it',
      'def f(a, *, b: int = 2) -> int:',
      '    """Says',
      '    hello."""',
      '',
      '    return [i for i in (a, b) if i][0]',
      'Hope it helps',
    ].join('\n')
    expect(extractPython(reply)).toBe(reply.split('\n').slice(3, 8).join('\n'))
  })

  test.each([
    ['if x: y = 1', true],
    ['try:\n    x = 1\nexcept (A, B) as e:\n    raise C from e\nfinally:\n    pass', true],
    ['@a.b(1)\nasync def f(*args, **kw):\n    async with x as y:\n        return await y', true],
    ['x: int = {**a, "k": [*b, 1][::2]}', true],
    ['f = lambda *a, k=1: a if k else not a', true],
    ['from . import (a as b,\n  c)', true],
    ['x = (yield)\nprint(f"{x!r:>{w}}", end="")', true],
    ['a = b = 1; c = 2', true],
    ['match x:\n    case [1, _]:\n        pass', true],
    ['s = "a" \\\n    "b"', true],
    ['while True:\n\tbreak\nelse:\n\tcontinue', true],
    ['print x', false],
    ['def f(:\n    pass', false],
    ['x = (1]', false],
    ['if x:\ny = 1', false],
    ['  x = 1', false],
    ['try:\n    x = 1\ny = 2', false],
    ['x = "open', false],
    ['a b', false],
    ['what?', false],
  ])('%j is Python: %s', (code, expected) => expect(extractPython(code) === code).toBe(expected))

  test('keeps the first definition of a name, drops functions that return nothing and what the entry point does not reach', () => {
    const reply = [
      '```python',
      'import os',
      'K = 2',
      'def g(x):',
      '    return x * K',
      'def f(x):',
      '    return g(x)',
      'def f(x):',
      '    return 0',
      'def h(x):',
      '    print(x)',
      'def unused(x):',
      '    return x',
      '```',
    ].join('\n')
    expect(sanitize(reply, 'f')).toBe('import os\nK = 2\ndef g(x):\n    return x * K\ndef f(x):\n    return g(x)')
    expect(sanitize(reply)).toBe('import os\nK = 2\ndef g(x):\n    return x * K\ndef f(x):\n    return g(x)\ndef unused(x):\n    return x')
  })

  test('is taken from between the last two fences for LiveCodeBench', () => {
    expect(extractCode('```\na\n```\ntext\n```py\nb\n```')).toBe('b')
    expect(extractCode('```\na\n```\nand ```')).toBe('and ```'.slice(0, 0))
    expect(extractTestOutput('x\nassert a == 1\n  assert b == 2')).toBe('assert a == 1')
    expect(extractTestOutput('```\nout\n```')).toBe('out')
    expect([extractExecutionAnswer('5\nas computed', false), extractExecutionAnswer('hm [ANSWER] 5 [/ANSWER]', true)]).toEqual(['5', '5'])
  })
})

describe('LiveCodeBench comparisons', () => {
  test.each([
    ['1.0\n2 \n', '1\n2', null],
    ['1e3', '1000', null],
    ['0.30000000000000004', '0.3', { kind: 'line', line: 1 }],
    ['a\nb', 'a\nB', { kind: 'line', line: 2 }],
    ['1\n\n2', '1\n2', { kind: 'line count', actual: 3, expected: 2 }],
    ['a  b', 'a b', { kind: 'line', line: 1 }],
  ])('%j against %j: %j', (actual, expected, difference) => expect(compareStdout(actual, expected)).toEqual(difference))

  test.each([
    ['livecodebench/stdio_compare', ' 1 2 ', '1.0 2', 1],
    ['livecodebench/call_compare', '(1, 2)', '[1, 2]', 1],
    ['livecodebench/call_compare', '[(1, 2)]', '[[1, 2]]', 0],
    ['livecodebench/call_compare', 'True', 'true', 1],
    ['livecodebench/call_compare', '10000000000000000001', '10000000000000000000', 0],
    ['livecodebench/call_compare', '1', '(1)', null],
    ['livecodebench/test_output_prediction', "so\nassert f('a == b') == ['b']", '["b"]', 1],
    ['livecodebench/test_output_prediction', "assert f(1) == ['b']", '["b"]', 1],
    ['livecodebench/test_output_prediction', 'assert f(1)', '1', 0],
    // Of compute_test_output_prediction_metrics.py: Python's grammar finds the right side, and eval its value.
    ['livecodebench/test_output_prediction', "assert f('a == b') == 'c'", '"c"', 1],
    ['livecodebench/test_output_prediction', "assert f(1) == 2, 'f(1) == 3'", '2', 1],
    ['livecodebench/test_output_prediction', 'assert f(1) == 2  # == 3', '2', 1],
    ['livecodebench/test_output_prediction', 'assert (f(1) == 2)', '2', 1],
    ['livecodebench/test_output_prediction', 'assert f(1) == 2 == 3', '2', 1],
    ['livecodebench/test_output_prediction', 'assert f(1) == (2)', '2', 1],
    ['livecodebench/test_output_prediction', 'assert f(x == 1) == 2;', '2', 1],
    ['livecodebench/test_output_prediction', 'assert f(1) == 2 and True', '2', 0],
    ['livecodebench/test_output_prediction', 'assert not f(1) == 2', '2', 0],
    ['livecodebench/test_output_prediction', 'assert 2 == f(1)', '2', 0],
    ['livecodebench/test_output_prediction', 'assert f(1) != 2 == 2', '2', 0],
    ['livecodebench/test_output_prediction', 'assert f((1) == 2', '2', 0],
    ['livecodebench/test_output_prediction', 'assert f(1) == (1, 2)', '[1, 2]', 0],
    ['livecodebench/test_output_prediction', 'assert f(1) == [1] * 3 + [2]', '[1, 1, 1, 2]', 1],
    ['livecodebench/test_output_prediction', "assert f(1) == 'ab' * 2", '"abab"', 1],
    ['livecodebench/test_output_prediction', 'assert f(1) == 1 / 2', '0.5', 1],
    ['livecodebench/test_output_prediction', 'assert f(1) == nan', '1', 0],
    ['livecodebench/test_output_prediction', '```python\n[1, 2]\n```', '[1, 2]', 1],
    ['livecodebench/test_output_prediction', '```\n# so\n  assert f(1) == 2\n```', '2', 1],
    ['livecodebench/test_output_prediction', '```\n3  # three\n```', '3', 1],
    ['livecodebench/test_output_prediction', 'no code', '3', 0],
  ])('%s of %j against %s is %s', (scorer, output, target, expected) => expect(valueOf(scorer, {}, output, target)).toBe(expected))
})

describe('SpreadsheetBench', () => {
  test.each([
    ['0', 'False', 1],
    ['1.004', '1', 1],
    ["'1e3'", '1000', 1],
    ["' 1 '", '1', 1],
    ["'50%'", '0.5', 0],
    ["''", 'None', 1],
    ['None', '0', 0],
    ["'A'", "'a'", 0],
    ['datetime.datetime(2024, 1, 1, 11, 59)', 'datetime.datetime(2024, 1, 1)', 1],
    ['datetime.datetime(2024, 1, 1, 13)', 'datetime.datetime(2024, 1, 1)', 0],
    ['45292', 'datetime.datetime(2024, 1, 1)', 1],
    ["'09:30'", 'datetime.time(9, 30, 59)', 1],
    ['datetime.date(2024, 1, 1)', '45292', 0],
    ['nan', 'nan', 0],
    ['x', '1', 0],
    ['1', 'x', null],
  ])('%s against %s is %s', (output, target, expected) =>
    expect(valueOf('spreadsheetbench/cell_compare', {}, output, target)).toBe(expected),
  )

  test('lists the cells of a range and refuses whole columns', () => {
    expect(cellsOf('Z1:AA2')).toEqual(['Z1', 'Z2', 'AA1', 'AA2'])
    expect(cellsOf('B2:A1')).toEqual([])
    for (const range of ['A:A', 'A1:B', '1:2', 'A1:B2:C3', '']) expect(() => cellsOf(range)).toThrow(/not a/)
  })

  test('scores a task softly and hard', () =>
    expect([softAndHard([1, 0, 1]), softAndHard([1])]).toEqual([
      { soft: 2 / 3, hard: 0 },
      { soft: 1, hard: 1 },
    ]))

  test('says what it compared', () =>
    expect(grade('spreadsheetbench/cell_compare', {}, '1', '2').explanation).toBe('The cell holds "1"; the target is "2".'))
})
