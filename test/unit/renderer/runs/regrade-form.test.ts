import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../../src/contract/client.ts'
import { type MetricDraft, metricDrafts, refusedMetrics, toRegrade } from '../../../../src/renderer/runs/regrade-form.ts'
import { runFixture } from './fixtures.ts'

const profile_id = 'words@1:zero-shot'

/** The drafts of a run with two metrics, the second one changed. */
function drafts(change: Partial<MetricDraft> = {}): readonly MetricDraft[] {
  return metricDrafts(runFixture()).map((draft, index) => (index === 1 ? { ...draft, changed: true, ...change } : draft))
}

describe('what is sent to grade a run again', () => {
  test('names nothing as long as nothing is changed', () => {
    expect(toRegrade(metricDrafts(runFixture()))).toEqual({ body: { metrics: [] } })
  })

  test('holds only what differs from the present grader', () => {
    expect(toRegrade(drafts({ scorer: ' native/includes ' }))).toEqual({
      body: { metrics: [{ profile_id, metric: 'flexible', scorer: 'native/includes' }] },
    })
    expect(toRegrade(drafts({ options: '{ "ignore_case": true }' }))).toEqual({
      body: { metrics: [{ profile_id, metric: 'flexible', options: { ignore_case: true } }] },
    })
    expect(toRegrade(drafts())).toEqual({ body: { metrics: [{ profile_id, metric: 'flexible' }] } })
  })

  test('is refused with the reason at its field', () => {
    expect(toRegrade(drafts({ scorer: ' ', options: '[1]' }))).toMatchObject({
      errors: { 1: { scorer: expect.stringContaining('Name a scorer'), options: expect.stringContaining('JSON object') } },
    })
    expect(toRegrade(drafts({ options: '{"a":' }))).toMatchObject({ errors: { 1: { options: expect.stringMatching(/^Not JSON: /) } } })
  })

  test('does not look at what is typed into a metric that is not changed', () => {
    expect(toRegrade(drafts({ changed: false, options: 'nonsense' }))).toEqual({ body: { metrics: [] } })
  })
})

describe('a refusal by the service', () => {
  test('appears at its metric although the request held only the changed ones', () => {
    const error = new ServiceError(422, 'validation_error', 'refused', null, [
      { loc: ['body', 'metrics', 0, 'options', 'ignore_case'], msg: 'must be true or false', type: 'value_error' },
      { loc: ['body', 'metrics', 0, 'scorer'], msg: 'there is no such scorer', type: 'value_error' },
    ])
    expect(refusedMetrics(error, drafts())).toEqual({
      1: { options: 'ignore_case: must be true or false', scorer: 'there is no such scorer' },
    })
  })
})
