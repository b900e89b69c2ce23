import { expect, test } from 'vitest'
import { createLossCount } from '../../../../../src/engine/reporting/results/lost-notices.ts'
import type { ResultSample } from '../../../../../src/engine/reporting/results/result-sample.ts'
import { judged, lost, moduleCount, newerCount, silent, unscored } from '../../../../../src/engine/grading/scorers/verdict.ts'

const sample = (scores: ResultSample['scores']): ResultSample => ({
  position: 0,
  profileNo: 0,
  taskId: 't',
  epoch: 0,
  status: 'scored',
  attempts: 1,
  cached: false,
  scores,
  latencyMs: null,
  inputTokens: null,
  outputTokens: null,
  tokensSource: null,
  notices: [],
  servedModel: null,
  errorCode: null,
  errorMessage: null,
  facets: {},
})

test('results count the samples whose verdict was lost, each once for what was lost', () => {
  const count = createLossCount()
  count.add(sample([lost('sandbox', 'It was killed.'), lost('sandbox', 'It was killed.')]))
  count.add(sample([judged(true, { explanation: '', answer: null }), lost('judge', 'It did not answer.')]))
  count.add(sample([unscored('No answer was found.')]))
  expect(count.notices().map(({ code, message }) => [code, message.slice(0, 44)])).toEqual([
    ['sandbox_lost', '1 of 3 answers have no verdict because the s'],
    ['judge_lost', '1 of 3 answers have no verdict because a jud'],
  ])
})

test('results name the modules that code needed and the sandbox lacks', () => {
  const count = createLossCount()
  const missing = (module: string) => ({ ...unscored('It is missing.'), counts: { [`${moduleCount}${module}`]: 1 } })
  count.add(sample([missing('pandas'), missing('pandas')]))
  count.add(sample([missing('numpy')]))
  count.add(sample([missing('numpy')]))
  count.add(sample([judged(true, { explanation: '', answer: null })]))
  const [notice] = count.notices()
  expect(notice?.code).toBe('missing_module')
  expect(notice?.message).toContain('3 of 4 answers have no verdict')
  expect(notice?.message).toContain('numpy (2), pandas (1)')
})

test('results name the versions of Python that code needed', () => {
  const count = createLossCount()
  for (const version of ['3.12', '3.14', '3.12'])
    count.add(sample([{ ...unscored('It is older.'), counts: { [`${newerCount}${version}`]: 1 } }]))
  expect(count.notices()).toMatchObject([{ code: 'newer_python' }])
  expect(count.notices()[0]?.message).toMatch(/^3 of 3 answers .* newer Python than the sandbox has: 3\.12 \(2\), 3\.14 \(1\)\./)
})

test('results say why judges gave no verdict, and what gives one', () => {
  const count = createLossCount()
  for (const why of ['judge_answer_missing', 'judge_unclear', 'judge_unpaid'] as const) count.add(sample([silent(why, 'It said nothing.')]))
  const messages = new Map(count.notices().map(({ code, message }) => [code, message]))
  expect(messages.get('judge_answer_missing')).toMatch(/^1 of 3 answers .* reasoning .* effort/)
  expect(messages.get('judge_unclear')).toMatch(/^1 of 3 answers .* none of the verdicts/)
  expect(messages.get('judge_unpaid')).toMatch(/^1 of 3 answers .* spending limit .* regrade/)
})

test('results say nothing where nothing was lost', () => {
  const count = createLossCount()
  count.add(sample([judged(false, { explanation: '', answer: null })]))
  expect(count.notices()).toEqual([])
})
