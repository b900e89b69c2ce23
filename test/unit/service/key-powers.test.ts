import { describe, expect, test } from 'vitest'
import { ceilingOfNewKey, demandWithin, type KeyPowers } from '../../../src/service/keys/key-powers.ts'

const person: KeyPowers = { scopes: ['runs:read', 'runs:write'], expiresAt: null, ceiling: null, meterId: null }
const key: KeyPowers = { scopes: ['runs:read'], expiresAt: '2030-01-01T00:00:00.000Z', ceiling: 100n, meterId: 'm' }
const wanted = (change: Partial<KeyPowers>): KeyPowers => ({
  scopes: ['runs:read'],
  expiresAt: '2029-01-01T00:00:00.000Z',
  ceiling: 0n,
  meterId: null,
  ...change,
})

describe('what is handed on', () => {
  test.each([
    ['everything of one’s own', key, key],
    ['less of everything', key, wanted({})],
    ['any ceiling and time, by a person', person, wanted({ ceiling: null, expiresAt: null })],
    ['a ceiling, by a key that has none', { ...key, ceiling: null }, wanted({ ceiling: 5n })],
    ['the shared ceiling', key, wanted({ ceiling: 100n, meterId: 'm' })],
  ])('may be %s', (_what, asker, target) => {
    expect(() => demandWithin(asker, target)).not.toThrow()
  })

  test.each([
    ['another scope', person, wanted({ scopes: ['runs:read', 'keys:write'] }), 'missing_scope'],
    ['a longer time', key, wanted({ expiresAt: '2030-01-01T00:00:00.001Z' }), 'owner_session_required'],
    ['time without end', key, wanted({ expiresAt: null }), 'owner_session_required'],
    ['a ceiling of its own', key, wanted({ ceiling: 1n }), 'owner_session_required'],
    ['no ceiling', key, wanted({ ceiling: null }), 'owner_session_required'],
    ['another key’s ceiling', key, wanted({ ceiling: 1n, meterId: 'other' }), 'owner_session_required'],
  ])('may not be %s', (_what, asker, target, code) => {
    expect(() => demandWithin(asker, target)).toThrow(expect.objectContaining({ code }))
  })
})

describe('the ceiling of a new key', () => {
  test('is what a person wishes', () => {
    expect(ceilingOfNewKey('person', '5')).toBe(5n)
    expect(ceilingOfNewKey('person', null)).toBeNull()
    expect(ceilingOfNewKey('person', undefined)).toBeNull()
  })

  test('is nothing to spend where a key with a ceiling makes it, and no wish of a key', () => {
    expect(ceilingOfNewKey({ ceiling: 5n }, undefined)).toBe(0n)
    expect(ceilingOfNewKey({ ceiling: null }, undefined)).toBeNull()
    for (const wish of ['0', '5', null])
      expect(() => ceilingOfNewKey({ ceiling: 5n }, wish)).toThrow(expect.objectContaining({ code: 'owner_session_required' }))
  })
})
