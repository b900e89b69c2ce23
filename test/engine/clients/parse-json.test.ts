import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../src/engine/clients/http/parse-json.ts'

const nested = (depth: number, inner = '') => '['.repeat(depth) + inner + ']'.repeat(depth)

describe('parsing a provider’s JSON', () => {
  test('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), value => {
        const text = JSON.stringify(value)
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  test('stops at a depth of 64', () => {
    expect(parseJson(nested(64)).ok).toBe(true)
    expect(parseJson(nested(65))).toEqual({ ok: false, problem: 'is nested more than 64 levels deep' })
    expect(parseJson(`{"a":${nested(64)}}`).ok).toBe(false)
  })

  test('counts no bracket inside a string, however it is escaped', () => {
    for (const inner of ['[[', '\\"[[', '\\\\', '\\\\\\"[[']) {
      const text = nested(64, `"${inner}"`)
      expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
    }
    expect(parseJson(nested(64, '"\\\\",[]')).ok).toBe(false)
  })

  test('takes no more values than a thread reads in a moment, and counts none inside a string', () => {
    expect(parseJson(`[${'{},'.repeat(600_000)}{}]`)).toEqual({ ok: false, problem: 'holds more than 1,000,000 values' })
    expect(parseJson(`["${'[,{'.repeat(1_000_000)}"]`).ok).toBe(true)
  })

  test('neither fails nor hangs on a million brackets', () => {
    expect(parseJson('['.repeat(1_000_000)).ok).toBe(false)
    expect(parseJson(`"${'\\'.repeat(1_000_000)}`)).toEqual({ ok: false, problem: 'is not complete, valid JSON' })
    expect(parseJson(`"${'\\"'.repeat(500_000)}"`).ok).toBe(true)
  })
})
