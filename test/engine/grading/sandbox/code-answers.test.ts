import { describe, expect, test } from 'vitest'
import { prepareCodeScorer } from '../../../../src/engine/grading/scorers/code/code-scorers.ts'
import { useSandbox } from './sandboxed.ts'

const sandbox = useSandbox()
const javascript = useSandbox('javascript')
const block = (code: string, info = 'python') => `\`\`\`${info}\n${code}\n\`\`\``
const grade = (scorer: string, output: string, metadata: Record<string, unknown>, options: Record<string, unknown> = {}) =>
  prepareCodeScorer({ scorer, options }, { python: sandbox(), javascript: null })({ output, targets: [], metadata })

/** An answer, and whether a person who runs it finds it right. */
type Labeled = readonly [name: string, output: string, isRight: boolean]

const evens = {
  prompt: 'from typing import List\n\n\ndef evens(numbers: List[int]) -> List[int]:\n    """The even numbers, in order."""\n',
  entry_point: 'evens',
  canonical_solution: '    return [n for n in numbers if n % 2 == 0]\n',
  test: 'def check(candidate):\n    assert candidate([1, 2, 3, 4]) == [2, 4]\n    assert candidate([]) == []\n    assert candidate([-2, 5]) == [-2]\n',
}
const right = 'def evens(numbers):\n    return [n for n in numbers if n % 2 == 0]'
const wrong =
  'def evens(numbers):\n    result = []\n    for n in numbers:\n        if n % 2:\n            result.append(n)\n    return result'

const functions: readonly Labeled[] = [
  ['a fence named python', block(right), true],
  ['a fence without a name', block(right, ''), true],
  ['a fence in capitals', block(right, 'PYTHON'), true],
  ['tildes', `~~~python\n${right}\n~~~`, true],
  ['five backticks', `\`\`\`\`\`py\n${right}\n\`\`\`\`\``, true],
  ['a fence in a list item', `2. Code:\n\n    ${block(right).replaceAll('\n', '\n    ')}`, true],
  ['a fence in a quotation', block(right).replaceAll(/^/gm, '> '), true],
  ['a fence that is never closed', `Here you go.\n\`\`\`python\n${right}\n`, true],
  ['line ends of Windows', block(right).replaceAll('\n', '\r\n'), true],
  ['no fence, with prose before and after', `Sure, this works:\n\n${right}\n\nIt keeps the order.`, true],
  ['a fence that is never opened', `${right}\n\`\`\``, true],
  ['a reply fenced as Markdown as a whole', `\`\`\`\`markdown\n# Solution\n${block(right)}\n\`\`\`\``, true],
  ['tags instead of fences', `<code>\n${right}\n</code>`, true],
  ['indentation by no-break spaces', block(right.replaceAll('    ', '\u00a0\u00a0\u00a0\u00a0')), true],
  [
    'longer assertions below',
    `${block(right)}\nChecks:\n${block('assert evens([2]) == [2]\nassert evens([1]) == []\nassert evens([4, 4]) == [4, 4]')}`,
    true,
  ],
  [
    'a longer transcript below',
    `${block(right)}\n${block('>>> evens([1, 2])\n[2]\n>>> evens([])\n[]\n>>> evens([2, 2, 2])\n[2, 2, 2]', 'pycon')}`,
    true,
  ],
  [
    'a longer shell block above',
    `${block('python -m venv .venv\nsource .venv/bin/activate\npip install -r requirements.txt', 'sh')}\n${block(right)}`,
    true,
  ],
  ['a longer plan in JSON', `${block('{"steps": ["filter by remainder", "keep the order", "return"]}', 'json')}\n${block(right)}`, true],
  ['a table of outputs below', `${block(right)}\n${block('input   output\n[1, 2]  [2]\n[3]     []', 'text')}`, true],
  ['a longer wrong draft first', `${block(wrong)}\nThat keeps the odd ones. Corrected:\n${block(right)}`, true],
  ['a right draft and a wrong final version', `${block(right)}\nSimplified:\n${block('def evens(n):\n    return n[::2]')}`, false],
  ['a wrong draft in reasoning', `<think>\n${block(wrong)}\n</think>\n${block(right)}`, true],
  ['the right code in reasoning alone', `<think>\n${block(right)}\n</think>\nI am not sure.`, false],
  ['reasoning that never ends', `<think>\n${block(right)}`, false],
  ['a lone closing mark of reasoning', `${block(wrong)}\n</think>\n\n${block(right)}`, true],
  [
    'a helper in a block above',
    `${block('def is_even(n):\n    return n % 2 == 0')}\nand then\n${block('def evens(numbers):\n    return [n for n in numbers if is_even(n)]')}`,
    true,
  ],
  [
    'a helper in a block below',
    `${block('def evens(numbers):\n    return list(filter(is_even, numbers))')}\nwith\n${block('def is_even(n):\n    return n % 2 == 0')}`,
    true,
  ],
  [
    'imports in a block above',
    `${block('from itertools import compress')}\n${block('def evens(numbers):\n    return list(compress(numbers, [n % 2 == 0 for n in numbers]))')}`,
    true,
  ],
  [
    'a constant in a block above, named in a formatted string',
    `${block('PREFIX = "k"')}\n${block('def evens(numbers):\n    return [n for n in numbers if f"{PREFIX}{n % 2}" == "k0"]')}`,
    true,
  ],
  [
    'a table that a block above fills',
    `${block('even = {}\nfor i in range(-9, 9):\n    even[i] = i % 2 == 0')}\n${block('def evens(numbers):\n    return [n for n in numbers if even[n]]')}`,
    true,
  ],
  [
    'a helper of a draft',
    `${block(`def keep(n):\n    return n % 2 == 0\n\n${wrong}`)}\nOnly the second function changes:\n${block('def evens(numbers):\n    return [n for n in numbers if keep(n)]')}`,
    true,
  ],
  ['a helper that is nowhere', block('def evens(numbers):\n    return [n for n in numbers if is_even(n)]'), false],
  [
    'a wrong helper',
    `${block('def is_even(n):\n    return n % 2 == 1')}\n${block('def evens(numbers):\n    return [n for n in numbers if is_even(n)]')}`,
    false,
  ],
  [
    'a parameter named like what a usage block assigns',
    `${block(right)}\n${block('numbers = list(map(int, input().split()))\nprint(evens(numbers))')}`,
    true,
  ],
  ['a result named like the function', `${block(right)}\n${block('evens = evens([1, 2])\nprint(evens)')}`, true],
  ['input read at the end of the same block', block(`${right}\n\nprint(evens(list(map(int, input().split()))))`), true],
  ['a wrong assertion at the end of the same block', block(`${right}\n\nassert evens([1]) == [1]`), true],
  ['an exit at the end of the same block', block(`import sys\n\n${right}\n\ndef main():\n    sys.exit(1)\n\nmain()`), true],
  ['a guarded main', block(`${right}\n\nif __name__ == '__main__':\n    raise SystemExit(evens([1]))`), true],
  [
    'a decorated function',
    block(
      `import functools\n\ndef plain(f):\n    @functools.wraps(f)\n    def inner(*a):\n        return f(*a)\n    return inner\n\n@plain\n${right}`,
    ),
    true,
  ],
  [
    'a generator as helper',
    block(
      'def even_ones(ns):\n    for n in ns:\n        if n % 2 == 0:\n            yield n\n\ndef evens(numbers):\n    return list(even_ones(numbers))',
    ),
    true,
  ],
  [
    'a helper that returns nothing',
    block(
      'def put(out, n):\n    out.append(n)\n\ndef evens(numbers):\n    out = []\n    for n in numbers:\n        if not n % 2:\n            put(out, n)\n    return out',
    ),
    true,
  ],
  ['a lambda', block('evens = lambda numbers: [n for n in numbers if n % 2 == 0]'), true],
  [
    'a signature as a stub after the code',
    `${block(right)}\nIts interface:\n${block('def evens(numbers: list) -> list:\n    """Even numbers."""\n    ...')}`,
    true,
  ],
  ['a stub alone', block('def evens(numbers):\n    pass'), false],
  ['the body alone', '    return [n for n in numbers if n % 2 == 0]', true],
  ['the body in a fence', block('    return [n for n in numbers if n % 2 == 0]'), true],
  ['a body that lost its indentation', 'return [n for n in numbers if n % 2 == 0]', true],
  [
    'a body whose first line lost its indentation',
    'out = []\n    for n in numbers:\n        if n % 2 == 0:\n            out.append(n)\n    return out',
    true,
  ],
  [
    'a longer body that lost its indentation',
    block('out = []\nfor n in numbers:\n    if n % 2 == 0:\n        out.append(n)\nreturn out'),
    true,
  ],
  ['a wrong body', '    return [n for n in numbers if n % 2]', false],
  [
    'the prompt repeated',
    block(
      `${'from typing import List\n\n\ndef evens(numbers: List[int]) -> List[int]:\n    """The even numbers, in order."""'}\n    return [n for n in numbers if n % 2 == 0]`,
    ),
    true,
  ],
  [
    'a name of `typing` that only the prompt imports',
    block('def evens(numbers: List[int]) -> List[int]:\n    return [n for n in numbers if n % 2 == 0]'),
    true,
  ],
  [
    'annotations of the future',
    block('from __future__ import annotations\n\ndef evens(numbers: Whatever) -> Whatever:\n    return [n for n in numbers if n % 2 == 0]'),
    true,
  ],
  ['prose inside the fence', block(`Here is the code:\n${right}\nHope that helps!`), true],
  [
    'a syntax error inside the function',
    block('def evens(numbers):\n    out = [n for n in numbers if n % 2 == 0]\n    return out\n    else'),
    false,
  ],
  ['another name', block(right.replace('evens', 'even_numbers')), false],
  ['no code', 'I would filter the list by the remainder of two.', false],
  ['a refusal with an example of another language', `I can only write C++:\n${block('int main() { return 0; }', 'cpp')}`, false],
  ['raising what looks like a missing module', block("def evens(numbers):\n    raise ImportError('numpy')"), false],
  [
    'raising it with its name and no import',
    block("def evens(numbers):\n    raise ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')"),
    false,
  ],
  ['a module that is nowhere', block(`import evenlib\n\ndef evens(numbers):\n    return evenlib.evens(numbers)`), false],
]

describe('an answer with a function', () => {
  test.each(functions)('%s', async (_, output, isRight) => {
    const score = await grade('evalplus/base', output, evens)
    expect(score.value, score.explanation).toBe(isRight ? 1 : 0)
  })

  test('is read by EvalPlus’s sanitizer where that is asked for: the longest run of lines', async () => {
    const output = `${block(right)}\n${block('assert evens([2]) == [2]\nassert evens([1]) == []\nassert evens([4]) == [4]')}`
    expect(await grade('evalplus/base', output, evens, { extraction: 'evalplus' })).toMatchObject({ value: 0 })
    expect(await grade('evalplus/base', block(right), evens, { extraction: 'evalplus' })).toMatchObject({ value: 1 })
  })
})

const total = {
  test_type: 'stdin',
  tests: [
    { input: '3\n1 2 3\n', output: '6\n' },
    { input: '2\n5 7', output: '12' },
    { input: '1\n-4\n', output: '-4' },
  ],
}
const last = 'print(sum(map(int, input().split())))'
const programs: readonly Labeled[] = [
  ['reads descriptor 0 by open', 'n, *a = map(int, open(0).read().split())\nprint(sum(a))', true],
  ['reads it line by line', 'with open(0) as lines:\n    next(lines)\n    print(sum(map(int, next(lines).split())))', true],
  ['reads it in binary', 'print(sum(map(int, open(0, "rb").read().split()[1:])))', true],
  ['reads it by os.fdopen', 'import os\nprint(sum(map(int, os.fdopen(0).read().split()[1:])))', true],
  ['reads it by os.read', 'import os\nprint(sum(map(int, os.read(0, os.fstat(0).st_size).split()[1:])))', true],
  ['reads /dev/stdin', 'print(sum(map(int, open("/dev/stdin").read().split()[1:])))', true],
  ['reads /dev/stdin as a path', 'from pathlib import Path\nprint(sum(map(int, Path("/dev/stdin").read_text().split()[1:])))', true],
  ['reads the buffer', 'import sys\nprint(sum(map(int, sys.stdin.buffer.read().split()[1:])))', true],
  [
    'maps a line reader over it',
    'import sys\nnext_line = iter(sys.stdin.readline, "").__next__\nnext_line()\nprint(sum(map(int, next_line().split())))',
    true,
  ],
  [
    'closes its input and output',
    'import sys\nd = sys.stdin.read().split()\nsys.stdin.close()\nprint(sum(map(int, d[1:])))\nsys.stdout.close()',
    true,
  ],
  ['writes descriptor 1 by open', 'input()\nopen(1, "w").write(str(sum(map(int, input().split()))))', true],
  ['leaves a file on descriptor 1 open', 'input()\nout = open(1, "w")\nout.write(str(sum(map(int, input().split()))))', true],
  [
    'writes when the interpreter ends',
    'import atexit\ninput()\ns = sum(map(int, input().split()))\natexit.register(lambda: print(s))',
    true,
  ],
  [
    'writes in a thread that it does not wait for',
    `import threading\n\ndef main():\n    input()\n    ${last}\n\nthreading.Thread(target=main).start()`,
    true,
  ],
  ['exits by exit()', `input()\n${last}\nexit()`, true],
  ['exits by quit(0)', `input()\n${last}\nquit(0)`, true],
  ['exits with a code', `import sys\ninput()\n${last}\nsys.exit(1)`, true],
  [
    'exits in a main behind a guard',
    `import sys\n\ndef main():\n    input()\n    ${last}\n    return 0\n\nif __name__ == "__main__":\n    sys.exit(main())`,
    true,
  ],
  ['exits before it has written', `input()\nexit(0)\n${last}`, false],
  ['raises after right output', `input()\n${last}\n1 / 0`, false],
  ['uses what upstream imports: Counter', 'input()\nc = Counter(map(int, input().split()))\nprint(sum(k * v for k, v in c.items()))', true],
  [
    'uses what upstream imports: sys, heapq, ceil',
    'n = ceil(float(sys.stdin.readline()))\nh = list(map(int, sys.stdin.readline().split()))\nheapq.heapify(h)\nprint(sum(h))',
    true,
  ],
  [
    'has annotations of the future behind those imports',
    `from __future__ import annotations\n\ndef f(x: Nothing) -> int:\n    return x\n\ninput()\n${last}`,
    true,
  ],
  ['recurses deep without raising the limit', `def f(k):\n    return 0 if k == 0 else f(k - 1)\n\nf(9000)\ninput()\n${last}`, true],
  [
    'changes a built-in for good',
    'import builtins\ninput()\nprint(sum(map(int, input().split())))\nbuiltins.sum = builtins.input = None',
    true,
  ],
  ['keeps nothing between tests', `import sys\nassert not hasattr(sys.modules["__main__"], "seen")\nseen = 1\ninput()\n${last}`, true],
  ['pickles a class of its own', `import pickle\n\nclass P:\n    x = 0\n\npickle.loads(pickle.dumps(P()))\ninput()\n${last}`, true],
  ['writes a prompt', 'input("n: ")\nprint(sum(map(int, input().split())))', false],
  ['is wrong', 'n = int(input())\nprint(n)', false],
  ['says what a missing module would', "raise ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')", false],
]
const methods: readonly Labeled[] = [
  [
    'uses names of typing and collections',
    'class Solution:\n    def add(self, xs: List[int]) -> Optional[int]:\n        return sum(deque(xs))',
    true,
  ],
  [
    'begins with a future import',
    'from __future__ import annotations\n\nclass Solution:\n    def add(self, xs: Nothing) -> int:\n        return sum(xs)',
    true,
  ],
  ['is a plain function', 'def add(xs):\n    return reduce(operator.add, xs, 0)', true],
  ['is wrong', 'class Solution:\n    def add(self, xs):\n        return max(xs)', false],
]

describe('an answer with a program', () => {
  test.each(programs)('%s', async (_, code, isRight) => {
    const score = await grade('livecodebench/all_tests', block(code), total)
    expect(score.value, score.explanation).toBe(isRight ? 1 : 0)
  })

  test.each(methods)('called: %s', async (_, code, isRight) => {
    const tests = [
      { input: '[1, 2, 3]', output: '6' },
      { input: '[-4]', output: '-4' },
    ]
    const score = await grade('livecodebench/all_tests', block(code), { test_type: 'functional', fn_name: 'add', tests })
    expect(score.value, score.explanation).toBe(isRight ? 1 : 0)
  })
})

/** In no distribution’s system Python by itself, and in the table of packages that exist. */
const absent = 'cvxpy'

describe('a module that the sandbox lacks', () => {
  const missing = { value: null, class: 'unscored', label: 'missing_module', counts: { [`missing_module:${absent}`]: 1 } }
  test.each([
    ['used at the top', `import ${absent} as c\nx = c.zeros(3)\ninput()\n${last}`],
    ['used in a function', `from ${absent} import array\n\ndef main():\n    input()\n    print(array(input().split()).sum())\n\nmain()`],
    ['imported in a function', `def main():\n    import ${absent}\n    input()\n    print(${absent}.sum(input().split()))\n\nmain()`],
    ['imported with a star', `from ${absent} import *\ninput()\nprint(array(input().split()).sum())`],
    ['subclassed', `import ${absent}.nn as nn\n\nclass Net(nn.Module):\n    pass\n\ninput()\n${last}`],
    ['compared with', `import math, ${absent}\ninput()\nprint(min(${absent}.inf, sum(map(int, input().split()))))`],
  ])('leaves a program unscored that needs it: %s', async (_, code) => {
    const score = await grade('livecodebench/all_tests', block(code), total)
    expect(score).toMatchObject(missing)
    expect(score.explanation).toMatch(/"cvxpy".*Install cvxpy for the system’s Python/)
  })

  test.each([
    ['by test code', evens],
    ['by inputs', { prompt: '', entry_point: 'evens', canonical_solution: right, base_input: [[[1, 2]]], plus_input: [] }],
    ['by assertions', { prompt: '', entry_point: 'evens', test_list: ['assert evens([1, 2]) == [2]'] }],
  ])('leaves a function unscored that needs it: %s', async (_, task) => {
    const code = `import ${absent} as c\n\ndef evens(numbers):\n    a = c.array(numbers)\n    return list(a[a % 2 == 0])`
    expect(await grade('evalplus/base', block(code), task)).toMatchObject(missing)
  })

  test.each([
    ['right code that imports it for nothing', `import ${absent}\ninput()\n${last}`, 1],
    ['right code that does without', `try:\n    import ${absent}\nexcept ImportError:\n    ${absent} = None\ninput()\n${last}`, 1],
    ['wrong code that imports it for nothing', `import ${absent}\nprint(0)`, 0],
    ['wrong code that passes over the failure', `import ${absent}\ntry:\n    ${absent}.solve()\nexcept Exception:\n    pass\nprint(0)`, 0],
    ['wrong code that raises its error without using it', `import ${absent}\nraise ImportError('${absent}')`, 0],
    ['a misspelled module', `import nunpy as np\ninput()\n${last}`, 0],
  ])('changes nothing for %s', async (_, code, value) =>
    expect(await grade('livecodebench/all_tests', block(code), total)).toMatchObject({ value }),
  )
})

describe('a module that JavaScript in the sandbox lacks', () => {
  const task = {
    prompt: '',
    entry_point: 'total',
    canonical_solution: 'const total = list => list.reduce((a, b) => a + b, 0)',
    base_input: [[[1, 2]]],
  }
  const gradeScript = (code: string) =>
    prepareCodeScorer(
      { scorer: 'evalplus/base', options: { language: 'javascript' } },
      { python: null, javascript: javascript() },
    )({
      output: block(code, 'js'),
      targets: [],
      metadata: task,
    })
  const adds = 'function total(list) { return list.reduce((a, b) => a + b, 0) }'

  test.each([
    ['a required package', 'lodash', "const _ = require('lodash')\nfunction total(list) { return _.sum(list) }"],
    ['an imported package', 'lodash', "import { sum as add } from 'lodash/fp';\nexport const total = list => add(list)"],
    ['an imported default', 'mathjs', 'import math from "mathjs"\nexport function total(list) { return math.sum(list) }'],
    [
      'a scoped package',
      '@datastructures-js/queue',
      "const { Queue } = require('@datastructures-js/queue')\nfunction total(list) { return new Queue(list).size() }",
    ],
    ['Node’s library', 'assert', "import assert from 'node:assert'\nfunction total(list) { assert(Array.isArray(list)); return 3 }"],
    ['a value of Node’s library', 'os', "const os = require('os')\nfunction total() { return os.EOL }"],
    ['at the top', 'fs', "const text = require('fs').readFileSync(0)\nfunction total() { return 3 }"],
    ['a global of Node', 'Buffer', 'function total(list) { return Buffer.from(list).length }'],
  ])('leaves code unscored that needs it: %s', async (_, module, code) => {
    const score = await gradeScript(code)
    expect(score).toMatchObject({ value: null, label: 'missing_module', counts: { [`missing_module:${module}`]: 1 } })
    expect(score.explanation).toContain(`"${module}"`)
  })

  test.each([
    ['right code that imports for nothing', `import fs from 'fs'\n${adds}`, 1],
    ['right code with a guard', `${adds}\nif (require.main === module) console.log(total([1]))`, 1],
    ['wrong code that imports for nothing', "const _ = require('lodash')\nfunction total() { return 0 }", 0],
    ['a module that is nowhere', "const lib = require('totally-unknown')\nfunction total(list) { return lib.sum(list) }", 0],
    ['a misspelled global', 'function total(list) { return Bufer.from(list).length }', 0],
    [
      'what says the same of a module that it does not import',
      "function total() { throw Object.assign(new Error('no'), { module: 'lodash' }) }",
      0,
    ],
  ])('changes nothing for %s', async (_, code, value) => expect(await gradeScript(code)).toMatchObject({ value }))
})
