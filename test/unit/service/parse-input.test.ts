import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { NewRanking } from '../../../src/contract/comparisons/rankings.schemas.ts'
import { ApiError } from '../../../src/contract/errors.ts'
import { DraftWorld } from '../../../src/contract/worlds/play.schemas.ts'
import { parsePart } from '../../../src/service/http/parse-input.ts'
import { cpuMsOf, slowness } from '../../support/machine-speed.ts'

const good = { model_a: 'a', model_b: 'b', winner: 'tie' }

function refusal(schema: z.ZodType, body: unknown): ApiError {
  try {
    parsePart(schema, body, 'body')
  } catch (error) {
    if (error instanceof ApiError) return error
  }
  throw new Error('The body was taken.')
}

describe('a long list', () => {
  test('of items that are no good is refused in time that does not grow with it', async () => {
    const battles = Array.from({ length: 300_000 }, () => ({}))
    let refused: ApiError | undefined
    const took = await cpuMsOf(() => (refused = refusal(NewRanking, { battles })))
    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining('battles.0.model_a is required') })
    expect(took).toBeLessThan(300 * slowness())
  })

  test('names places as they were sent', () => {
    const battles = Array.from({ length: 4_000 }, (_, i) => (i < 100 ? good : { ...good, winner: 'nobody' }))
    const { detail } = refusal(NewRanking, { battles })
    expect(detail.length).toBeGreaterThan(9)
    for (const { loc } of detail) {
      expect(loc).toEqual(['body', 'battles', expect.any(Number), 'winner'])
      expect(Number(loc[2])).toBeGreaterThanOrEqual(100)
    }
  })

  test('with one bad item is refused for that one, and a good one is taken', () => {
    const battles = Array.from({ length: 4_000 }, (_, i) => (i === 3_999 ? { ...good, winner: 'nobody' } : good))
    expect(refusal(NewRanking, { battles }).detail).toMatchObject([{ loc: ['body', 'battles', 3_999, 'winner'] }])
    expect(parsePart(NewRanking, { battles: battles.slice(0, -1) }, 'body')).toMatchObject({ method: 'bradley_terry' })
  })

  test('is not refused for what a rule misses in a part of it', () => {
    const ids = Array.from({ length: 2_000 }, (_, i) => i)
    const paired = z.strictObject({ ids: z.array(z.int()), last: z.int() }).refine(({ ids: all, last }) => all.includes(last), 'is missing')
    expect(parsePart(paired, { ids, last: 1_999 }, 'body')).toMatchObject({ last: 1_999 })
  })

  test('within others is refused as soon, where more faults than a stack holds threw', async () => {
    const calls = Array.from({ length: 300_000 }, () => ({}))
    const body = { conversations: [{ messages: [{ role: 'assistant', content: '', tool_calls: calls }] }] }
    let refused: ApiError | undefined
    const took = await cpuMsOf(() => (refused = refusal(DraftWorld, body)))
    expect(refused?.detail[0]?.loc).toEqual(['body', 'conversations', 0, 'messages', 0, 'tool_calls', 0, 'function'])
    expect(took).toBeLessThan(300 * slowness())
  })

  test('of few that hold many is refused in time that they allow', async () => {
    const deep = Array.from({ length: 99 }, () => ({ inner: Array.from({ length: 99 }, () => ({ inner: Array(30).fill({}) })) }))
    const leaf = z.strictObject({ a: z.string(), b: z.int() })
    const schema = z.strictObject({
      deep: z.array(z.strictObject({ inner: z.array(z.strictObject({ inner: z.array(leaf) })) })),
    })
    let refused: ApiError | undefined
    const took = await cpuMsOf(() => (refused = refusal(schema, { deep })))
    expect(refused?.detail[0]?.loc).toEqual(['body', 'deep', 0, 'inner', 0, 'inner', 0, 'a'])
    expect(took).toBeLessThan(300 * slowness())
  })

  test('of exact length, or counted by a rule, is taken', () => {
    const vectors = z.strictObject({
      vectors: z.array(z.strictObject({ of: z.array(z.number()).length(256), n: z.int() }).refine(({ of, n }) => of.length === n)),
    })
    const body = { vectors: Array.from({ length: 300 }, () => ({ of: Array.from({ length: 256 }, (_, i) => i), n: 256 })) }
    expect(parsePart(vectors, body, 'body')).toEqual(body)
  })
})
