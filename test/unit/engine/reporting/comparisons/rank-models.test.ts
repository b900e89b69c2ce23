import { describe, expect, test } from 'vitest'
import { NewRanking } from '../../../../../src/contract/comparisons/rankings.schemas.ts'
import { rankModels } from '../../../../../src/engine/reporting/comparisons/rank-models.ts'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'
import { mulberry32 } from '../../../../../src/engine/statistics/random.ts'

type Battle = NewRanking['battles'][number]

const battle = (a: string, b: string, winner: Battle['winner'], style?: Battle['style']): Battle => ({
  model_a: a,
  model_b: b,
  winner,
  ...(style && { style }),
})

function ranked(battles: readonly Battle[], options: object = {}) {
  const outcome = rankModels(NewRanking.parse({ battles, ...options }))
  return outcome.kind === 'ranked' ? outcome.ranking : outcome.reason
}

/** Six models, the later the better, whose longer answers win more often. */
function arena(): Battle[] {
  const random = mulberry32(11)
  const names = ['甲', 'β', 'gamma', 'دال', 'é', 'zeta']
  return Array.from({ length: 3_000 }, () => {
    const a = Math.floor(random() * 6)
    const b = (a + 1 + Math.floor(random() * 5)) % 6
    const [own, other] = [50 + Math.floor(400 * random()), 50 + Math.floor(400 * random())]
    const p = 1 / (1 + Math.exp(-(0.3 * (a - b) + (1.5 * (own - other)) / (own + other))))
    const winner = random() < 0.15 ? 'tie' : random() < p ? 'model_a' : 'model_b'
    return battle(names[a] ?? '', names[b] ?? '', winner, { tokens: [own, other] })
  })
}

/** Three wins of the first to one of the second. */
const threeToOne = [...Array.from({ length: 3 }, () => battle('x', 'y', 'model_a')), battle('y', 'x', 'model_a')]

describe('a ranking of models by battles', () => {
  test('is the maximum of the likelihood: odds of three to one are 400 log10 3 points', () => {
    const found = ranked(threeToOne, { resamples: 0 })
    if (typeof found === 'string') throw new Error(found)
    const [first, second] = found.models
    expect([first?.model, second?.model]).toEqual(['x', 'y'])
    expect((first?.rating ?? 0) - (second?.rating ?? 0)).toBeCloseTo(400 * Math.log10(3), 6)
    expect(first).toMatchObject({ interval: null, rank: null, battles: 4, wins: 3, ties: 0, losses: 1 })
  })

  test('counts a tie as half a win, whoever comes first', () => {
    const found = ranked([battle('x', 'y', 'tie'), battle('y', 'x', 'tie')], { resamples: 20 })
    expect(found).toMatchObject({
      models: [
        { rating: 1000, interval: [1000, 1000], rank: 1, ties: 2 },
        { rating: 1000, rank: 1 },
      ],
    })
  })

  test('is refused where a model won every battle, and without a style that it is to control', () => {
    expect(ranked([battle('x', 'y', 'model_a'), battle('y', 'x', 'model_b')])).toMatch(/not strongly connected/)
    expect(ranked(threeToOne, { style_control: true })).toMatch(/needs "style" in every battle/)
    const style = { tokens: [1, 2] } satisfies Battle['style']
    expect(ranked([battle('x', 'y', 'model_a', style), battle('y', 'x', 'model_a')], { style_control: true })).toMatch(
      /Battle 2 lacks a style/,
    )
    expect(
      ranked([battle('x', 'y', 'model_a', style), battle('y', 'x', 'model_a', style)], { style_control: true, method: 'elo' }),
    ).toMatch(/Elo has no style control/)
  })

  test('moves by k points at most for Elo, in the order of the battles', () => {
    const found = ranked([battle('x', 'y', 'model_a'), battle('x', 'y', 'model_a')], { method: 'elo', k: 32, resamples: 0 })
    const second = 32 * (1 - 1 / (1 + 10 ** (-32 / 400)))
    expect(found).toMatchObject({ models: [{ model: 'x', rating: expect.closeTo(1016 + second, 9) }, { model: 'y' }] })
  })

  test('takes length out of ratings under style control, and gives the same figures for the same seed', () => {
    const random = mulberry32(5)
    // Equally good models, of which one writes longer; the longer answer wins three times in four.
    const battles = Array.from({ length: 400 }, () => {
      const [own, other] = [100 + 200 * random(), 50 + 150 * random()]
      const isLongerBest = random() < 0.75
      return battle('long', 'short', own > other === isLongerBest ? 'model_a' : 'model_b', { tokens: [own, other] })
    })
    const gap = (found: ReturnType<typeof ranked>) => {
      if (typeof found === 'string') throw new Error(found)
      const ratingOf = (name: string) => found.models.find(({ model }) => model === name)?.rating ?? Number.NaN
      return ratingOf('long') - ratingOf('short')
    }
    const controlled = ranked(battles, { style_control: true, resamples: 20 })
    expect(gap(ranked(battles, { resamples: 0 }))).toBeGreaterThan(60)
    expect(Math.abs(gap(controlled))).toBeLessThan(60)
    expect(controlled).toMatchObject({ style_weights: [{ style: 'tokens', log_odds: expect.any(Number) }], resamples: 20 })
    expect(ranked(battles, { style_control: true, resamples: 20 })).toEqual(controlled)
  })

  // By scipy: the logistic regression that Chatbot Arena publishes (a row a battle, ±ln 10, ties half, no penalty; the style's relative
  // difference over its standard deviation), moved to a mean of 1000.
  test('has the ratings of Chatbot Arena’s regression, with and without style control', () => {
    // The other program's figures have one place.
    const within = (rating: number): unknown => expect.toSatisfy((found: number) => Math.abs(found - rating) < 0.1)
    const battles = arena()
    const ratings = (options: object) => {
      const found = ranked(battles, { resamples: 0, ...options })
      if (typeof found === 'string') throw new Error(found)
      return [found.models.map(({ model, rating }) => [model, rating]), found.style_weights]
    }
    expect(ratings({})).toEqual([
      [
        ['zeta', within(1098.6)],
        ['é', within(1064.1)],
        ['دال', within(1004.7)],
        ['gamma', within(990.8)],
        ['β', within(935.1)],
        ['甲', within(906.6)],
      ],
      [],
    ])
    expect(ratings({ style_control: true })).toEqual([
      [
        ['zeta', within(1105.2)],
        ['é', within(1067.6)],
        ['دال', within(1004.8)],
        ['gamma', within(987.6)],
        ['β', within(929.5)],
        ['甲', within(905.4)],
      ],
      [{ style: 'tokens', log_odds: expect.closeTo(0.428395, 5) }],
    ])
  })

  test('takes 100,000 battles, as rows with their number, in seconds', async () => {
    const battles = arena().map(({ model_a, model_b, winner }) => ({ ...battle(model_a, model_b, winner), times: 33 }))
    let found: ReturnType<typeof ranked> = ''
    const ms = await cpuMsOf(() => (found = ranked([...battles, { ...battle('zeta', 'β', 'tie'), times: 1_000 }])))
    expect(found).toMatchObject({ battles: 100_000, resamples: 200 })
    expect(ms).toBeLessThan(4_000 * slowness())
    const [row] = battles
    const alike = row ? ranked([{ ...row, times: 2 }, battle(row.model_b, row.model_a, 'model_a')], { resamples: 0 }) : ''
    expect(alike).toMatchObject({ battles: 3, models: [{ battles: 3 }, { battles: 3 }] })
  })

  test('of ties alone is 1000 for all, and of models that never met is refused', () => {
    const ties = ranked([battle('a', 'b', 'tie'), battle('b', 'c', 'tie'), battle('a', 'c', 'tie')], { resamples: 50 })
    expect(ties).toMatchObject({ models: [1, 2, 3].map(() => ({ rating: expect.closeTo(1000, 9) })) })
    const apart = [battle('a', 'b', 'model_a'), battle('a', 'b', 'model_b'), battle('c', 'd', 'model_a'), battle('c', 'd', 'model_b')]
    expect(ranked(apart)).toMatch(/not strongly connected/)
    expect(ranked(apart, { method: 'elo', resamples: 20 })).toMatchObject({ models: { length: 4 } })
  })

  test('takes a name for one model however its accents are composed', () => {
    const found = ranked([battle('\u00e9', 'b', 'model_a'), battle('e\u0301', 'b', 'model_b')], { resamples: 0 })
    expect(found).toMatchObject({ models: [{ battles: 2 }, { battles: 2 }] })
    expect(ranked([battle('\u00e9', 'e\u0301', 'model_a'), battle('\u00e9', 'b', 'model_b')])).toMatch(/with itself, in two spellings/)
  })

  test('is refused of more models or styles than a minute is enough for', () => {
    const pairs = Array.from({ length: 1_001 }, (_, i) => battle(`m${i}`, `m${(i + 1) % 1_001}`, 'model_a'))
    expect(ranked(pairs, { resamples: 0 })).toContain('1001 models; at most 1000')
    const style = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`s${i}`, [1, 2] satisfies [number, number]]))
    const styled = threeToOne.map(({ model_a, model_b, winner }) => battle(model_a, model_b, winner, style))
    expect(NewRanking.safeParse({ battles: styled }).error?.issues[0]?.message).toBe('must have at most 8 amounts')
  })
})
