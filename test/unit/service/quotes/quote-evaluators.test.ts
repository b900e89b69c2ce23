import { describe, expect, test } from 'vitest'
import type { Metric } from '../../../../src/contract/catalog/benchmarks.schemas.ts'
import type { Evaluators } from '../../../../src/service/evaluators/index.ts'
import { chosenEvaluators, withEvaluators } from '../../../../src/service/quotes/quote-evaluators.ts'
import { capWarnings } from '../../../../src/service/quotes/quote-warnings.ts'
import { quoteFixture } from '../../renderer/quotes/fixtures.ts'

const [version, other] = ['0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e06', '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e07']
const judged = {
  samples: 10,
  answers: 10,
  promptCharacters: 100,
  referenceBytes: 0,
  answerCharacters: 400,
  files: [],
  shown: { files: [], times: 1 },
}

/** Judges that take a micro-USD for each output, of the wallet. */
const evaluators = {
  requireKnown: () => {},
  ofProfile: (_: string, metric: Metric) => metric,
  metrics: () => [],
  price: (_: string, ids: readonly string[], { outputs }: { outputs: number }) =>
    ids.map(name => ({
      name,
      calls: outputs,
      payer: 'wallet' as const,
      estimated: BigInt(outputs),
      upperBound: BigInt(outputs),
      unavailable: null,
    })),
} as unknown as Evaluators['runs'] // the parts of the feature that a quote uses

function quoted(chosen: string[], graded: boolean[], cap = '1000') {
  const { profiles, execution, cost, ...fixture } = quoteFixture({ warnings: [] })
  const [profile] = profiles
  const [metric] = profile?.metrics ?? []
  if (!profile || !metric) throw new Error('The fixture has no metric.')
  const evaluator = { evaluator_version_id: version, self_preference: null } as unknown as Metric['evaluator']
  const own = graded.map(is => ({ ...profile, metrics: is ? [{ ...metric, evaluator }] : [metric] }))
  const bare = { ...cost, components: [], upper_bound_microusd: '0', max_charge_microusd: cap }
  const plan = { ...fixture, profiles: own, execution: { ...execution, evaluators: chosen }, cost: bare }
  const sizes = graded.map((_, i) => ({ ...judged, samples: 10 ** (i + 1) }))
  return withEvaluators(evaluators, 'w', plan, chosenEvaluators(evaluators, 'w', chosen), sizes)
}

describe('evaluators in a quote', () => {
  test('of a profile are priced for its samples, chosen ones for all', () => {
    expect(quoted([], [true, false]).counts.judge_calls).toBe(10)
    expect(quoted([], [true, true]).counts.judge_calls).toBe(110)
    expect(quoted([other], [true, false]).cost.components.map(({ quantity }) => quantity)).toEqual([10, 110])
    // Chosen and of a profile: once for each sample.
    expect(quoted([version], [true, false]).counts.judge_calls).toBe(110)
  })

  test('are refused twice, in whatever case', () => {
    expect(() => quoted([version, other, version.toUpperCase()], [false])).toThrow('is selected twice')
    expect(quoted([version.toUpperCase()], [false]).execution.evaluators).toEqual([version])
  })

  test('that the spending limit does not cover are warned of', () => {
    const warned = (cap: string) => capWarnings(quoted([other], [false], cap), { run: 0n, sample: 0n })
    expect(warned('10')).toEqual([])
    expect(warned('9')).toMatchObject([{ code: 'cap_below_upper_bound', message: expect.stringContaining('judges') }])
  })
})
