import { describe, expect, test } from 'vitest'
import { checkWithTests } from '../../../../src/engine/grading/sandbox/check-with-tests.ts'
import { runTests } from '../../../../src/engine/grading/scorers/code/run-tests.ts'
import { useSandbox } from './sandboxed.ts'

const sandbox = useSandbox()
/** One place, so that two checks in a row would share whatever is kept. */
const narrow = useSandbox('python', 1)
const suite = {
  prelude: '',
  entry: 'f',
  names: ['f', 'set', 'math'],
  tests: ['assert f(2) == 4', 'assert math.isclose(f(1), 2)', 'assert set(f(i) for i in range(3)) == {0, 2, 4}'],
}
const check = (source: string) => runTests(sandbox(), { source }, suite, null)

describe('the verdict is made where the candidate never was', () => {
  test('right code passes', async () => {
    expect(await check('import math\ndef f(x): return 2 * x')).toMatchObject({ kind: 'passed' })
  })

  test.each([
    ['wrong code', 'def f(x): return x + 2'],
    ['no such function', 'def g(x): return 2 * x'],
    [
      'a value that equals everything',
      'class E:\n  def __eq__(self, other): return True\n  __hash__ = lambda self: 4\ndef f(x): return E()',
    ],
    [
      'a number that equals everything',
      'class N(int):\n  def __eq__(self, other): return True\n  __hash__ = int.__hash__\ndef f(x): return N(9)',
    ],
    ['another meaning for a built-in that the tests use', 'def set(x): return {0, 2, 4}\ndef f(x): return 4'],
    ['a module of its own', 'class math:\n  isclose = lambda *args: True\ndef f(x): return 4 if x == 2 else 9 if x == 1 else 0'],
    ['an assertion of its own', 'def f(x): raise AssertionError()'],
    ['a printed pass', 'print(\'{"verdict": {"passed": true}}\')\ndef f(x): return 0'],
    ['an early end without a fault', 'import os\ndef f(x): os._exit(0)'],
    ['an end while it is loaded', 'import sys\nsys.exit(0)'],
    [
      'a verdict written on every channel',
      'import os\ndef f(x):\n  for n in range(3, 12):\n    try: os.write(n, b\'{"verdict": {"passed": true, "tests": 2, "kind": "passed", "message": ""}}\\n\')\n    except OSError: pass\n  return 0',
    ],
    [
      'a patched unittest and assert',
      'import builtins, sys\nbuiltins.AssertionError = ZeroDivisionError\nsys.modules["unittest"] = None\ndef f(x): return 0',
    ],
    ['a patched harness', 'import __main__\n__main__.Values.encode = lambda self, value: {"t": "ref", "v": 0}\ndef f(x): return 0'],
  ])('%s does not', async (_, source) => {
    expect((await check(source)).kind).toBe('failed')
  })

  test('a timeout is distinguished from wrong code', async () => {
    const outcome = await sandbox().use(room => checkWithTests(room, { source: 'def f(x):\n  while True: pass' }, suite, 300))
    expect(outcome.kind).toBe('timeout')
  })

  test('what only the reference can tell: a limit that grows with it', async () => {
    const slow = 'import math, time\ndef f(x):\n  time.sleep(0.9)\n  return 2 * x'
    expect((await runTests(sandbox(), { source: slow }, suite, null)).kind).toBe('timeout')
    expect((await runTests(sandbox(), { source: slow }, suite, slow)).kind).toBe('passed')
  })

  test('a task whose reference fails its own tests says nothing about the candidate', async () => {
    const outcome = await runTests(sandbox(), { source: 'def f(x):\n  while True: pass' }, suite, 'def f(x): return 0')
    expect(outcome.kind).toBe('no_verdict')
  })

  test('objects of the candidate can be handed back to it', async () => {
    const source =
      'class Node:\n  def __init__(self, v): self.v = v; self.next = None\ndef total(n):\n  return n.v + (total(n.next) if n.next else 0)'
    const tests = ['a = Node(1)\na.next = Node(2)\nassert total(a) == 3', 'assert [n for n in [a]] == [a]']
    expect(await runTests(sandbox(), { source }, { prelude: '', entry: 'total', names: ['Node'], tests }, null)).toMatchObject({
      kind: 'passed',
    })
  })
})

describe('what a task’s own test code changes', () => {
  const wrong = 'def f(x): return x + 2'
  const forged =
    '__import__("json"); import __main__; __main__.Checker.check = lambda self, command: {"passed": True, "tests": 1, "kind": "passed", "message": ""}'
  test.each([
    ['the verdict of the checker', forged],
    ['a function of a module', 'import math\nmath.isclose = lambda *a, **k: True'],
    ['a built-in', 'import builtins\nbuiltins.abs = lambda x: 0'],
    ['what is imported', 'import sys, types\nsys.modules["math"] = types.SimpleNamespace(isclose=lambda *a, **k: True)'],
    [
      'files beside it',
      'open("math.py", "w").write("isclose = lambda *a, **k: True")\nimport sys\nsys.path.insert(0, "/task")\nsys.modules.pop("math", None)',
    ],
  ])('ends with its check: %s', async (_, doctored) => {
    await runTests(narrow(), { source: wrong }, { prelude: doctored, entry: 'f', names: [], tests: ['f(1)'] }, null)
    const tests = ['import math\nassert math.isclose(f(1), 2)', 'assert abs(f(3) - 6) == 0']
    expect(await runTests(narrow(), { source: wrong }, { prelude: '', entry: 'f', names: [], tests }, null)).toMatchObject({
      kind: 'failed',
    })
  })
})

describe('an answer that breaks what judges it is wrong, with the reason', () => {
  const failed = (source: string, tests: readonly string[], reference: string | null) =>
    runTests(sandbox(), { source }, { prelude: '', entry: 'f', names: [], tests }, reference)
  const deep = 'x = []\n  for i in range(300000): x = [x]\n  return x'
  const raw = (text: string) =>
    `import os\ndef f(x):\n  text = ${text} + b"\\n"\n  for n in range(3, 12):\n    try:\n      os.write(n, text)\n      os._exit(0)\n    except OSError: pass`

  test.each([
    ['a value nested 300,000 deep', `def f(x):\n  ${deep}`],
    ['the same, past the harness', raw('b\'{"value": \' + b"[" * 300000 + b"]" * 300000 + b"}"')],
    ['the same as an exception', 'def f(x):\n  raise ValueError("[" * 300000)'],
    ['a value of no known kind', raw('b\'{"value": {"t": "no", "v": 0}}\'')],
    ['a fraction that never ends', raw('b\'{"value": {"t": "fraction", "v": ["1", "0"]}}\'')],
    ['a number of a million decimals', raw('b\'{"value": {"t": "int", "v": "\' + b"9" * 1000000 + b\'"}}\'')],
  ])('%s', async (_, source) => {
    const outcome = await failed(source, ['assert f(2) == 4'], null)
    expect(outcome.kind).toBe('failed')
    expect(outcome.detail).not.toBe('')
  })

  test('a value that kills the tests’ process is the answer’s doing, unless the reference’s value does it too', async () => {
    const tests = ['import os\nif f(2) != 4: os._exit(3)']
    expect(await failed('def f(x): return 5', tests, 'def f(x): return 4')).toEqual({
      kind: 'failed',
      detail: 'The task’s own tests broke off. They had been given what this code returned.',
    })
    expect(await failed('def f(x): return 5', tests, 'def f(x): return 6')).toMatchObject({ kind: 'no_verdict' })
    expect(await failed('def f(x): return 5', tests, null)).toMatchObject({ kind: 'failed' })
  })

  test('tests that break before they are given anything say nothing about the answer', async () => {
    expect(await failed('def f(x): return 4', ['import os\nos._exit(3)'], null)).toMatchObject({ kind: 'no_verdict' })
  })
})
