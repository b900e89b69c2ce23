import { expect, test } from 'vitest'
import { prepareCodeScorer } from '../../../../src/engine/grading/scorers/code/code-scorers.ts'
import { useSandbox } from './sandboxed.ts'

const sandbox = useSandbox('python')
const grade = (output: string, assertion: object, metric = 'pass') =>
  prepareCodeScorer(
    { scorer: 'promptfoo/test_with_scripts', options: { metric, language: 'python' } },
    { python: sandbox(), javascript: null },
  )({ output, targets: [], metadata: { context: { vars: { city: 'Paris' } }, assertions: [assertion] } })
const script = (code: string, more: object = {}) => ({ type: 'python', script: { code }, ...more })
const module = (code: string, name = '', more: object = {}) => ({ type: 'python', script: { code, export: name, ...more } })

test.each([
  ['an expression', script('len(output) > 3'), true],
  ['variables of the test', script("context['vars']['city'] in output"), true],
  ['the body of a function', script('n = len(output)\nreturn n > 100'), false],
  ['a number', script('0.4'), true],
  ['a number with a threshold', script('0.4', { threshold: 0.5 }), false],
  ['a truth value in words', script("'False'"), false],
  ['a result as JSON', script("json.dumps({'pass': True, 'score': 1, 'reason': ''})"), true],
  ['a result below its threshold', script("{'pass': True, 'score': 0.2, 'reason': ''}", { threshold: 0.5 }), false],
  ['a result without a reason', script("{'pass': True, 'score': 1}"), false],
  ['what says nothing', script("'yes'"), false],
  ['what raises', script('1 / 0'), false],
  ['not a number', script("float('nan')"), false],
  ['the function of a module', module("import re\ndef get_assert(output, context):\n    return bool(re.match('Paris', output))\n"), true],
  [
    'a named one with its settings',
    module("def ok(output, context):\n    return context['config']['ok']\n", 'ok', { config: { ok: true } }),
    true,
  ],
])('reads %s', async (_, assertion, isPassed) => {
  expect(await grade('Paris it is', assertion)).toMatchObject({ value: isPassed ? 1 : 0 })
})

test.each([
  ['a module', module('import no_such_module\ndef get_assert(output, context):\n    return True\n'), /needs the module no_such_module/],
  ['a file', script("open('/no/such/file').read()"), /needs files or the network/],
])('gives no verdict where a script needs %s that the sandbox has not', async (_, assertion, reason) => {
  expect(await grade('Paris', assertion)).toMatchObject({ class: 'unscored', explanation: expect.stringMatching(reason) })
})
