import { expect, test } from 'vitest'
import type { Metric } from '../../../../../src/contract/catalog/benchmarks.schemas.ts'
import type { ResultSample } from '../../../../../src/engine/reporting/results/result-sample.ts'
import { summarizeSamples } from '../../../../../src/engine/reporting/results/run-results.ts'
import { wilsonInterval } from '../../../../../src/engine/statistics/proportions.ts'
import { fixtureResults, fixtureSamples } from '../report/run-fixture.ts'

const [profile] = fixtureResults(fixtureSamples(20)).reproducibility.profiles
const verdicts: Metric = {
  id: 'recorded_refusal',
  title: 'refusal, as recorded',
  scorer: 'assay/recorded_score',
  scorer_version: 1,
  options: { name: 'refusal' },
  binary: false,
  primary: false,
}

type Given = Pick<ResultSample, 'taskId' | 'facets'> & { readonly label: string | null; readonly epoch?: number; readonly value?: null }

function sharesOf(given: readonly Given[], metric = verdicts, epochs = 1) {
  if (!profile) throw new Error('The fixture has no profile.')
  const [primary] = profile.metrics
  if (!primary) throw new Error('The fixture has no metric.')
  const samples = given.map(
    ({ taskId, facets, label, epoch = 1, value = 1 }, position): ResultSample => ({
      position,
      profileNo: 0,
      taskId,
      epoch,
      status: 'scored',
      attempts: 1,
      cached: false,
      scores: [
        { value: 1, class: 'correct', label: 'not counted' },
        value === null ? { value, class: 'refused', label } : { value: 1, class: 'correct', label },
      ],
      latencyMs: 1,
      inputTokens: 1,
      outputTokens: 1,
      tokensSource: 'provider',
      notices: [],
      servedModel: null,
      errorCode: null,
      errorMessage: null,
      facets,
    }),
  )
  return summarizeSamples([{ ...profile, metrics: [primary, metric] }], samples, String, epochs, 0).label_shares
}

const tasks = (kind: string, labels: readonly (string | null)[]): Given[] =>
  labels.map((label, i) => ({ taskId: `${kind}${i}`, facets: { kind }, label }))

test('each label has its share overall and in each group, with n and a Wilson interval', () => {
  const shares = sharesOf([
    ...tasks('harmful', ['refused', 'refused', 'refused', 'answered']),
    ...tasks('harmless', ['answered', 'refused', null, 'answered', 'answered', 'partial']),
  ])
  expect(
    shares?.map(({ value, label, samples, without_label, estimate }) => [value, label, samples, without_label, estimate.n, estimate.mean]),
  ).toEqual([
    [null, 'answered', 4, 1, 9, 4 / 9],
    [null, 'partial', 1, 1, 9, 1 / 9],
    [null, 'refused', 4, 1, 9, 4 / 9],
    ['harmful', 'answered', 1, 0, 4, 0.25],
    ['harmful', 'partial', 0, 0, 4, 0],
    ['harmful', 'refused', 3, 0, 4, 0.75],
    ['harmless', 'answered', 3, 1, 5, 0.6],
    ['harmless', 'partial', 1, 1, 5, 0.2],
    ['harmless', 'refused', 1, 1, 5, 0.2],
  ])
  const refused = shares?.find(({ value, label }) => value === 'harmful' && label === 'refused')
  expect(refused).toMatchObject({ profile_id: profile?.profile_id, metric: 'recorded_refusal', dimension: 'kind' })
  expect(refused?.estimate.interval).toEqual(wilsonInterval(3, 4).value)
})

test('the epochs of a task count once, with their share', () => {
  const shares = sharesOf(
    ['refused', 'answered', 'answered', 'answered'].map((label, i) => ({
      taskId: i < 2 ? 'a' : 'b',
      epoch: 1 + (i % 2),
      facets: {},
      label,
    })),
    verdicts,
    2,
  )
  const refused = shares?.find(({ label }) => label === 'refused')
  expect(refused).toMatchObject({ samples: 1, estimate: { n: 2, mean: 0.25, interval: { method: 'wilson_cr1' } } })
})

test('an answer that the model declined keeps its label', () => {
  const shares = sharesOf([
    { taskId: 'a', facets: {}, label: 'refused', value: null },
    { taskId: 'b', facets: {}, label: 'answered' },
  ])
  expect(shares?.map(({ label, estimate }) => [label, estimate.mean])).toEqual([
    ['answered', 0.5],
    ['refused', 0.5],
  ])
})

test('there are none without labels, of scorers whose words repeat their value, and of texts that hardly repeat', () => {
  const some = tasks('x', ['C', 'I'])
  expect(sharesOf(tasks('x', [null, null]))).toBeUndefined()
  expect(sharesOf(some, { ...verdicts, scorer: 'inspect_ai/match' })).toBeUndefined()
  expect(
    sharesOf(
      tasks(
        'x',
        Array.from({ length: 31 }, (_, i) => `word ${i}`),
      ),
    ),
  ).toBeUndefined()
  expect(sharesOf(tasks('x', ['x'.repeat(81)]))).toBeUndefined()
  expect(sharesOf(some)).toHaveLength(2)
})
