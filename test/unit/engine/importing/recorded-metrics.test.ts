import { describe, expect, test } from 'vitest'
import type { MetricPair } from '../../../../src/engine/importing/answers/foreign-log.ts'
import { withRecordedScores } from '../../../../src/engine/importing/answers/recorded-metrics.ts'
import { ownBenchmark } from '../../../../src/engine/content/benchmarks/own-benchmark.ts'

const define = (slug: string, title: string) => ownBenchmark(title, slug, false)
const pair = (log: string, metric: string | null = null): MetricPair => ({ log, metric, reason: null })

function read(scores: readonly Readonly<Record<string, number>>[], pairs: readonly MetricPair[], isGraded = false) {
  const log = withRecordedScores({ answers: scores.map(of => ({ scores: of })), pairs, isGraded, define })
  return { ...log, profile: log.define('demo', 'Demo').profiles[0]?.metrics ?? [] }
}

describe('the scores that a log states', () => {
  test('are the only and primary metric where nothing here grades the log', () => {
    const { metrics, profile } = read([{ judge: 1 }, { judge: 0 }], [pair('judge')])
    expect(metrics).toMatchObject([
      { id: 'recorded_judge', title: 'judge, as recorded', binary: true, primary: true, options: { name: 'judge' } },
    ])
    expect(profile).toEqual(metrics)
  })

  test('are beside ours where a scorer follows their rule', () => {
    const { metrics, profile } = read([{ match: 1 }], [pair('match', 'match')], true)
    expect(metrics).toMatchObject([{ id: 'recorded_match', primary: false }])
    expect(profile.map(({ id }) => id)).toEqual(['exact_match', 'includes', 'f1'])
  })

  test('are primary where only a later one is graded here', () => {
    const { metrics } = read([{ judge: 1, match: 0 }], [pair('judge'), pair('match', 'match')], true)
    expect(metrics.map(({ id, primary }) => [id, primary])).toEqual([
      ['recorded_judge', true],
      ['recorded_match', false],
    ])
  })

  test.each([
    [[1, 0.5], { lowest: undefined, highest: undefined }, []],
    [[-1, 1], { lowest: -1, highest: 1 }, ['-1 to 1']],
    [[3, 9], { lowest: 0, highest: 10 }, ['0 to 10']],
    [[3, 250], { lowest: 0, highest: 250 }, ['0 to 250']],
  ])('of the values %j have a scale, which is said where it is not 0 to 1', (values, scale, said) => {
    const { metrics, warnings } = read(
      values.map(quality => ({ quality })),
      [],
    )
    const options = metrics[0]?.options
    expect({ lowest: options?.['lowest'], highest: options?.['highest'] }).toEqual(scale)
    expect(warnings).toHaveLength(said.length)
    for (const [i, range] of said.entries()) expect(warnings[i]).toContain(`${range} was taken from its values`)
  })

  test('that only our own sum over parts gives are not shown as recorded', () => {
    expect(read([{ part: 1 }], [{ ...pair('part', 'score'), isDerived: true }], true).metrics).toEqual([])
  })

  test('have ids of their own where their names differ in signs alone', () => {
    expect(read([{ 'a,b': 1, 'a b': 0 }], []).metrics.map(({ id }) => id)).toEqual(['recorded_a_b', 'recorded_a_b_2'])
  })

  test('beyond forty are named', () => {
    const many = Object.fromEntries(Array.from({ length: 42 }, (_, i) => [`s${i}`, 1]))
    expect(read([many], []).warnings).toEqual(['Scores that were left out, after the first 40: s40, s41.'])
  })
})
