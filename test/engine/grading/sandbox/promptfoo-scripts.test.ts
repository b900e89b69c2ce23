import { expect, test } from 'vitest'
import { prepareCodeScorer } from '../../../../src/engine/grading/scorers/code/code-scorers.ts'
import { useSandbox } from './sandboxed.ts'

const sandbox = useSandbox('javascript')
const grade = (output: string, metadata: Record<string, unknown>, metric = 'pass') =>
  prepareCodeScorer(
    { scorer: 'promptfoo/test_with_scripts', options: { metric } },
    { python: null, javascript: sandbox() },
  )({
    output,
    targets: [],
    metadata: { context: { vars: { city: 'Paris' } }, ...metadata },
  })
const script = (code: string, more: object = {}) => ({ type: 'javascript', script: { code }, ...more })

test.each([
  ['an expression', script('output.length > 3'), true],
  ['variables of the test', script('output.includes(context.vars.city)'), true],
  ['declarations before an expression on one line', script('const n = output.length; n > 100'), false],
  ['the body of a function', script('const n = output.length\nreturn n > 3'), true],
  ['an object', script('{pass: false, score: 1, reason: ""}'), false],
  ['a number with a threshold', script('0.4', { threshold: 0.5 }), false],
  ['a number without one', script('0.4'), true],
  ['the opposite', script('true', { type: 'not-javascript' }), false],
  ['a text, which says nothing', script('"yes"'), false],
  ['what throws', script('output.nothing.more'), false],
  [
    'an exported function',
    { type: 'javascript', script: { code: 'module.exports = async output => output.startsWith("Paris")', export: '' } },
    true,
  ],
  [
    'a named one with its settings',
    { type: 'javascript', script: { code: 'exports.ok = (o, c) => c.config.ok', export: 'ok', config: { ok: true } } },
    true,
  ],
  [
    'a module of the new form',
    { type: 'javascript', script: { code: 'export default () => ({ pass: true, score: 1, reason: "" })', export: '' } },
    true,
  ],
  ['an assertion without a script', { type: 'equals', value: 'Paris it is', transform: { code: 'output.trim()' } }, true],
])('reads %s', async (_, assertion, isPassed) => {
  expect(await grade('Paris it is ', { assertions: [assertion] })).toMatchObject({ value: isPassed ? 1 : 0 })
})

test('changes the output before it is graded, and gives no verdict where that fails', async () => {
  const assertions = [{ type: 'is-json', value: { type: 'object' } }, script('output.a === 1')]
  expect(await grade('a=1', { assertions, transform: { code: '({a: Number(output.slice(2))})' } })).toMatchObject({ value: 1 })
  expect(await grade('a=1', { assertions, transform: { code: 'JSON.parse(output)' } })).toMatchObject({
    class: 'unscored',
    explanation: expect.stringMatching(/^A transform of the test failed/),
  })
})

test('weighs scripts with the other assertions', async () => {
  const assertions = [script('0.5', { weight: 3 }), { type: 'contains', value: 'Rome' }]
  expect(await grade('Paris', { assertions }, 'score')).toMatchObject({ value: 0.375, class: 'partial' })
})

test('gives no verdict where a script does not end', async () => {
  expect(await grade('Paris', { assertions: [script('(() => { for (;;); })()')] })).toMatchObject({ class: 'unscored' })
})
