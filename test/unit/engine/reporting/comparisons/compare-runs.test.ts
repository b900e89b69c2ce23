import { describe, expect, test } from 'vitest'
import { ExecutionSettings } from '../../../../../src/contract/quotes/quotes.schemas.ts'
import type { SampleFacts } from '../../../../../src/engine/reporting/comparisons/align-samples.ts'
import { compareRuns, type ComparisonOutcome } from '../../../../../src/engine/reporting/comparisons/compare-runs.ts'
import type { RunFrame } from '../../../../../src/engine/reporting/comparisons/run-frame.ts'
import { mcnemar } from '../../../../../src/engine/statistics/mcnemar.ts'
import { mulberry32 } from '../../../../../src/engine/statistics/random.ts'
import { tangoInterval } from '../../../../../src/engine/statistics/tango.ts'
import { exactPower } from '../../../../../src/lib/mcnemar-power.ts'
import { frame, metric, model, options, profile, samples, scored } from './frames.ts'

function compare(runs: readonly (readonly [RunFrame, readonly SampleFacts[]])[], more: Partial<typeof options> = {}) {
  const outcome = compareRuns(
    { runs: runs.map(([run]) => run), seed: 1, options: { ...options, ...more } },
    run => runs.find(([candidate]) => candidate === run)?.[1] ?? [],
  )
  return compared(outcome)
}

function compared(outcome: ComparisonOutcome) {
  if (outcome.kind === 'refused') throw new Error(outcome.refusals.map(({ message }) => message).join(' '))
  const headline = outcome.computed.differences.find(difference => difference.headline)
  if (!headline) throw new Error('No difference is the headline.')
  return { ...outcome, headline }
}

/** `n` pass or fail values, the first `passes` of them passed. */
const firstPass = (n: number, passes: number) => Array.from({ length: n }, (_, i) => (i < passes ? 1 : 0))

describe('pass and fail', () => {
  test('are compared by the exact McNemar test and Tango’s interval', () => {
    const { headline } = compare([
      [frame('A'), scored(firstPass(100, 50))],
      [frame('B'), scored([...firstPass(40, 40), ...firstPass(60, 30)])],
    ])
    expect(headline).toMatchObject({
      n: 100,
      wins: 20,
      losses: 0,
      ties: 80,
      passes: { both: 50, neither: 30, only_baseline: 0, only_contender: 20 },
      test: 'mcnemar_exact',
    })
    expect(headline.p).toBe(mcnemar(20, 0).pExact)
    expect(headline.interval).toEqual(tangoInterval({ onlyNew: 20, onlyOld: 0, n: 100 }).value)
    expect(headline.difference).toBeCloseTo(0.2, 12)
    expect([headline.baseline_mean, headline.contender_mean]).toEqual([0.5, 0.7])
  })

  test('that never differ show no difference and say so', () => {
    const { headline, computed } = compare([
      [frame('A'), scored(firstPass(50, 20))],
      [frame('B'), scored(firstPass(50, 20))],
    ])
    expect(headline).toMatchObject({ difference: 0, p: 1, verdict: 'not_shown' })
    // Six tasks that only one model passes are the fewest that the test finds.
    expect(exactPower(50, headline.minimum_detectable_difference ?? 0, headline.minimum_detectable_difference ?? 0)).toBeCloseTo(0.8, 3)
    expect(computed.headline).toMatch(
      /^No difference was shown between B and A: 0\.0 points, 95 % interval −7\.\d to \+7\.\d, on 50 common tasks; a difference under 15\.\d points would be missed more than one time in five\.$/,
    )
  })
})

describe('alignment', () => {
  test('pairs by task id in any order and leaves out tasks without both scores', () => {
    const a = samples([
      { task: 3, value: 1 },
      { task: 1, value: 0 },
      { task: 2, value: null },
      { task: 9, value: 1 },
    ])
    const b = samples([
      { task: 1, value: 1 },
      { task: 2, value: 1 },
      { task: 3, value: 1 },
      { task: 7, value: 0 },
    ])
    const { headline, computed, tasks } = compare([
      [frame('A'), a],
      [frame('B'), b],
    ])
    expect(headline).toMatchObject({ n: 2, wins: 1, losses: 0, ties: 1 })
    expect(computed.tasks).toEqual({ total: 5, common: 2 })
    expect(computed.cautions.map(caution => caution.code)).toEqual(
      expect.arrayContaining(['different_coverage', 'missing_scores', 'few_tasks']),
    )
    expect([...tasks.taskNo]).toEqual([1003, 1001, 1002, 1009, 1007])
    expect([...(tasks.positions[1] ?? [])]).toEqual([2, 0, 1, -1, 3])
    expect(computed.runs.map(run => [run.tasks, run.scored_tasks])).toEqual([
      [4, 3],
      [4, 4],
    ])
  })

  test('cautions of some of several contenders name them', () => {
    const all = samples(Array.from({ length: 120 }, (_, task) => ({ task, value: task % 2 })))
    const few = samples(Array.from({ length: 120 }, (_, task) => ({ task, value: task < 20 ? task % 2 : null })))
    const cautions = (...contenders: readonly (typeof all)[]) =>
      compare([[frame('Base'), all], ...contenders.map((one, i): [ReturnType<typeof frame>, typeof all] => [frame(`Model ${i + 1}`), one])])
        .computed.cautions.filter(({ code }) => code === 'few_tasks' || code === 'missing_scores')
        .map(({ message }) => message.replace(/[,;:] .*/s, ''))
    const plain = ['100 common tasks have a score in only one of the runs and are left out', 'Only 20 tasks']
    expect(cautions(few)).toEqual(plain)
    expect(cautions(few, few)).toEqual(plain)
    expect(cautions(few, all)).toEqual(['Model 1', 'Model 1'])
    expect(cautions(few, few, all)).toEqual(['Model 1 and Model 2', 'Model 1 and Model 2'])
  })

  test('cautions of some contenders name them whatever their labels are, and those of checks do, too', () => {
    const warm = profile({ generation: { ...profile().generation, temperature: 1 } })
    const runs = [frame('Base'), frame('2'), frame('t', { profiles: [warm] })]
    const few = scored(firstPass(20, 10))
    const { computed } = compare(runs.map(run => [run, run.name === '2' ? few : scored(firstPass(120, 60))]))
    const said = computed.cautions.filter(({ code }) => code === 'few_tasks' || code === 'generation').map(({ message }) => message)
    expect(said).toEqual([
      expect.stringMatching(/^t: The generation settings differ: temperature 0 against 1\.$/),
      expect.stringMatching(/^2: Only 20 tasks: /),
    ])
  })

  test('is by epoch, and a task counts once', () => {
    const thrice = (values: readonly (number | null)[]) =>
      samples(values.map((value, i) => ({ task: Math.floor(i / 3), epoch: (i % 3) + 1, value })))
    const execution = { ...ExecutionSettings.parse({}), epochs: 3 }
    const a = thrice([1, 1, 0, 0, 0, 0, 1, 0, 1])
    const b = thrice([1, null, 1, 0, 1, 1, 1, 1, 1])
    const { headline } = compare([
      [frame('A', { execution }), a],
      [frame('B', { execution }), b],
    ])
    // Epoch 2 of the first task has a score in A alone: 1 and 0 against 1 and 1.
    expect(headline).toMatchObject({ n: 3, passes: null, test: 'permutation_exact' })
    expect(headline.difference).toBeCloseTo((0.5 + 2 / 3 + 1 / 3) / 3, 12)
  })

  test('without a common task is refused', () => {
    const runs = [frame('A'), frame('B')]
    const outcome = compareRuns({ runs, seed: 1, options }, run => samples([{ task: run === runs[0] ? 1 : 2, value: 1 }]))
    expect(outcome).toEqual({
      kind: 'refused',
      refusals: [{ run: 1, check: 'coverage', message: 'No task has a score in both "A" and "B".' }],
    })
  })
})

describe('several metrics, profiles and contenders', () => {
  const two = { metrics: [metric(), metric({ id: 'length', title: 'Length', scorer: 'native/length', binary: false, primary: false })] }

  test('say once what is true of the baseline alone, and once for each what is true of a contender', () => {
    const oracle = frame('Oracle', { model: model('Oracle', { is_model: false }) })
    const few = () => samples([0, 1, 1].map((value, task) => ({ task, value })))
    const { computed } = compare([
      [oracle, few()],
      [frame('B'), few()],
      [frame('C'), few()],
    ])
    const ofModels = computed.cautions.filter(caution => caution.message.includes('baseline, not a model'))
    expect(ofModels).toEqual([{ code: 'model', contender_id: null, message: 'Oracle is a baseline, not a model.' }])
  })

  test('are shown, and those that are chosen are tested together: Holm over them', () => {
    const random = mulberry32(3)
    const facts = (rate: number) =>
      samples(Array.from({ length: 60 }, (_, task) => ({ task, value: 0, values: [random() < rate ? 1 : 0, random()] })))
    const runs = [0.4, 0.7, 0.5].map((rate, i) => [frame('ABC'[i] ?? '', { profiles: [profile(two)] }), facts(rate)] as const)
    const { computed } = compare(runs)
    expect(computed.differences.map(({ metric: id, headline }) => [id, headline])).toEqual([
      ['exact', true],
      ['length', false],
      ['exact', true],
      ['length', false],
    ])
    expect(computed.differences.map(({ tested, verdict }) => [tested, verdict === 'not_tested'])).toEqual([
      [true, false],
      [false, true],
      [true, false],
      [false, true],
    ])
    const ranked = computed.differences.filter(({ tested }) => tested).toSorted((a, b) => (a.p ?? 1) - (b.p ?? 1))
    let running = 0
    for (const [i, { p, p_adjusted }] of ranked.entries()) {
      running = Math.max(running, Math.min(1, (p ?? 1) * (ranked.length - i)))
      expect(p_adjusted).toBeCloseTo(running, 12)
    }
  })

  test('of two profiles have all tasks together as their headline', () => {
    const words = profile({ profile_id: 'words@1:plain', title: 'Words', source_ref: 'eval://us/words/1' })
    const both = (values: readonly number[]) => [
      ...scored(values.slice(0, 30)),
      ...samples(values.slice(30).map((value, task) => ({ task, value, profileNo: 1, position: 30 + task }))),
    ]
    const profiles = [profile(), words]
    const { headline, computed } = compare([
      [frame('A', { profiles }), both(firstPass(50, 10))],
      [frame('B', { profiles }), both(firstPass(50, 45))],
    ])
    expect(headline).toMatchObject({ profile_id: null, n: 50, wins: 35 })
    expect(computed.differences.map(({ profile_id, n }) => [profile_id, n])).toEqual([
      [null, 50],
      ['sums@1:plain', 30],
      ['words@1:plain', 20],
    ])
    expect(computed.cautions.map(caution => caution.code)).toContain('mixed_profiles')
  })
})

describe('clusters', () => {
  const clustered = (values: readonly number[], facet = 'cluster') =>
    samples(values.map((value, task) => ({ task, value, tags: { facets: { [facet]: `text ${Math.floor(task / 4)}` }, capabilities: [] } })))

  test('declared by the tasks widen the interval', () => {
    const random = mulberry32(5)
    const [a, b] = [
      Array.from({ length: 200 }, () => (random() < 0.5 ? 1 : 0)),
      Array.from({ length: 200 }, (_, i) => Math.floor(i / 4) % 2),
    ]
    const free = compare(
      [
        [frame('A'), clustered(a)],
        [frame('B'), clustered(b)],
      ],
      { cluster_by: null },
    ).headline
    const { headline } = compare([
      [frame('A'), clustered(a)],
      [frame('B'), clustered(b)],
    ])
    expect(headline).toMatchObject({ clustered_by: 'cluster', clusters: 50, test: 'cr1_t' })
    expect(free).toMatchObject({ clustered_by: null, clusters: null, test: 'mcnemar_exact' })
    expect(headline.standard_error).toBeGreaterThan(free.standard_error ?? 0)
    expect(
      compare(
        [
          [frame('A'), clustered(a, 'passage')],
          [frame('B'), clustered(b, 'passage')],
        ],
        { cluster_by: 'passage' },
      ).headline.clusters,
    ).toBe(50)
  })
})

describe('breakdowns', () => {
  test('hold every part of every facet and capability that splits the tasks', () => {
    const random = mulberry32(9)
    const facts = (rate: (even: boolean) => number) =>
      samples(
        Array.from({ length: 80 }, (_, task) => ({
          task,
          value: random() < rate(task % 2 === 0) ? 1 : 0,
          tags: {
            facets: { parity: task % 2 === 0 ? 'even' : 'odd', same: 'always', id: `t${task}` },
            capabilities: task < 20 ? ['reading', 'sums'] : ['sums'],
          },
        })),
      )
    const { computed } = compare([
      [frame('A'), facts(() => 0.5)],
      [frame('B'), facts(even => (even ? 1 : 0))],
    ])
    const parts = computed.breakdowns.map(part => [part.dimension, part.value, part.n])
    expect(parts).toEqual([
      ['capability', 'reading', 20],
      ['capability', 'sums', 80],
      ['parity', 'even', 40],
      ['parity', 'odd', 40],
    ])
    const [even, odd] = computed.breakdowns.filter(part => part.dimension === 'parity')
    expect(even?.difference).toBeGreaterThan(0)
    expect(odd?.difference).toBeLessThan(0)
    expect(even?.p_adjusted).toBeGreaterThanOrEqual(even?.p ?? 1)
  })
})

describe('trade-off', () => {
  const priced = (name: string, rate: string) =>
    frame(name, { model: model(name, { rates: { input_microusd_per_million: '0', output_microusd_per_million: rate } }) })

  test('names who is dominated, by quality, cost and latency on common tasks', () => {
    const best = scored(firstPass(40, 30), { latencyMs: 200, outputTokens: 10 })
    const cheap = scored(firstPass(40, 20), { latencyMs: 100, outputTokens: 10 })
    const bad = scored(firstPass(40, 20), { latencyMs: 300, outputTokens: 30 })
    const [a, b, c] = [priced('best', '1000000'), priced('cheap', '100000'), priced('bad', '1000000')]
    const { trade_off } = compare([
      [a, best],
      [b, cheap],
      [c, bad],
    ]).computed
    expect(trade_off.map(run => run.cost_microusd_per_sample)).toEqual([10, 1, 30])
    expect(trade_off.map(run => run.on_front)).toEqual([true, true, false])
    expect(trade_off[2]?.dominated_by).toEqual([a.asked, b.asked])
  })

  test('does not know a cost without rates or tokens', () => {
    const { trade_off } = compare([
      [frame('A'), scored([1, 0])],
      [priced('B', '5'), scored([1, 0], { outputTokens: null })],
    ]).computed
    expect(trade_off.map(run => run.cost_microusd_per_sample)).toEqual([null, null])
  })
})

test('a comparison repeats that the tasks of a run were chosen by its own model’s results', () => {
  const bias = { code: 'selected_on_own_results', message: 'Its score is biased.', profile_id: 'sums@1:plain' }
  const contender = frame('B', { biases: [bias] })
  const { computed } = compare([
    [frame('A', { biases: [bias] }), scored(firstPass(100, 50))],
    [contender, scored(firstPass(100, 60))],
  ])
  expect(computed.cautions.filter(({ code }) => code === 'selected_on_own_results')).toEqual([
    { code: bias.code, contender_id: null, message: 'A: Its score is biased. Differences from it are biased in the same way.' },
    { code: bias.code, contender_id: contender.asked, message: 'B: Its score is biased. Differences from it are biased in the same way.' },
  ])
})
