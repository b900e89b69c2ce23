import { expect, test } from 'vitest'
import type { SampleFacts } from '../../../../../src/engine/reporting/comparisons/align-samples.ts'
import { compareRuns } from '../../../../../src/engine/reporting/comparisons/compare-runs.ts'
import { tangoInterval } from '../../../../../src/engine/statistics/tango.ts'
import { wilsonInterval } from '../../../../../src/engine/statistics/proportions.ts'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'
import { frame, metric, options, profile, samples } from './frames.ts'

const verdict = metric({ id: 'recorded_refusal', title: 'refusal, as recorded', scorer: 'assay/recorded_score', primary: false })
const profiles = [profile({ metrics: [metric(), verdict] })]

type Given = readonly (readonly [task: number, kind: string, label: string | null, epoch?: number])[]

const facts = (given: Given): SampleFacts[] =>
  samples(
    given.map(([task, kind, label, epoch = 1]) => ({
      task,
      value: 1,
      epoch,
      tags: { facets: { kind }, capabilities: [] },
      values: [1, null],
      labels: [undefined, label],
    })),
  )

function labelsOf(baseline: readonly SampleFacts[], contender: readonly SampleFacts[]) {
  const runs = [frame('A', { profiles }), frame('B', { profiles })]
  const outcome = compareRuns({ runs, seed: 1, options }, run => (run === runs[0] ? baseline : contender))
  if (outcome.kind === 'refused') throw new Error(outcome.refusals.map(({ message }) => message).join(' '))
  return outcome.computed.label_differences
}

const twenty = (kind: string, from: number, refused: number): Given =>
  Array.from({ length: 20 }, (_, i) => [from + i, kind, i < refused ? 'refused' : 'answered'] as const)

test('each label has its share in both runs and their paired difference, overall and by group', () => {
  const found = labelsOf(
    facts([...twenty('harmful', 0, 8), ...twenty('harmless', 20, 2)]),
    facts([...twenty('harmful', 0, 18), ...twenty('harmless', 20, 2)]),
  )
  expect(found?.map(one => [one.value, one.label, one.n, one.baseline.mean, one.contender.mean, one.wins, one.losses])).toEqual([
    [null, 'answered', 40, 0.75, 0.5, 0, 10],
    [null, 'refused', 40, 0.25, 0.5, 10, 0],
    ['harmful', 'answered', 20, 0.6, 0.1, 0, 10],
    ['harmful', 'refused', 20, 0.4, 0.9, 10, 0],
    ['harmless', 'answered', 20, 0.9, 0.9, 0, 0],
    ['harmless', 'refused', 20, 0.1, 0.1, 0, 0],
  ])
  const harmful = found?.find(({ value, label }) => value === 'harmful' && label === 'refused')
  expect(harmful).toMatchObject({ metric: 'recorded_refusal', dimension: 'kind', test: 'mcnemar_exact' })
  expect(harmful?.p).toBeCloseTo(2 * 0.5 ** 10, 12)
  expect(harmful?.baseline.interval).toEqual(wilsonInterval(8, 20).value)
  expect(harmful?.interval).toEqual(tangoInterval({ onlyNew: 10, onlyOld: 0, n: 20 }).value)
  expect(harmful?.p_adjusted).toBeGreaterThanOrEqual(harmful?.p ?? 1)
})

test('only tasks with a label in both runs count, each once for all its epochs', () => {
  const found = labelsOf(
    facts([
      [1, 'x', 'refused', 1],
      [1, 'x', 'answered', 2],
      [2, 'x', 'answered'],
      [3, 'x', null],
    ]),
    facts([
      [1, 'x', 'refused', 1],
      [1, 'x', 'refused', 2],
      [2, 'x', 'partly'],
      [3, 'x', 'refused'],
      [4, 'x', 'refused'],
    ]),
  )
  expect(found?.map(({ label, n, baseline, contender, difference }) => [label, n, baseline.mean, contender.mean, difference])).toEqual([
    ['answered', 2, 0.75, 0, -0.75],
    ['partly', 2, 0, 0.5, 0.5],
    ['refused', 2, 0.25, 0.5, 0.25],
  ])
})

test('there are none where no metric gives labels or they are texts of their own', () => {
  const plain = twenty('x', 0, 5).map(([task, kind]) => [task, kind, null] as const)
  expect(labelsOf(facts(plain), facts(plain))).toBeUndefined()
  const texts = Array.from({ length: 40 }, (_, i) => [i, 'x', `word ${i}`] as const)
  expect(labelsOf(facts(texts), facts(texts))).toBeUndefined()
})

test('100,000 tasks in 14 groups with 5 labels take less than 3 s of processor time', async () => {
  const many = (shift: number) =>
    facts(Array.from({ length: 100_000 }, (_, i) => [i, `kind ${i % 14}`, `label ${(i * 31 + (i % 9 === 0 ? shift : 0)) % 5}`] as const))
  const [a, b] = [many(0), many(1)]
  let count = 0
  const ms = await cpuMsOf(() => (count = labelsOf(a, b)?.length ?? 0))
  expect(count).toBe(75)
  expect(ms).toBeLessThan(3_000 * slowness())
})
