import { describe, expect, test } from 'vitest'
import { ceilingsOfNewKey, requireWithin, type KeyPowers } from '../../../src/service/keys/key-powers.ts'

const person: KeyPowers = {
  scopes: ['runs:read', 'runs:write'],
  workerLabels: null,
  expiresAt: null,
  ceilings: { wallet: null, provider: null },
  meterId: null,
}
const key: KeyPowers = {
  scopes: ['runs:read'],
  workerLabels: [],
  expiresAt: '2030-01-01T00:00:00.000Z',
  ceilings: { wallet: 100n, provider: null },
  meterId: 'm',
}
const wanted = (change: Partial<KeyPowers>): KeyPowers => ({
  scopes: ['runs:read'],
  workerLabels: [],
  expiresAt: '2029-01-01T00:00:00.000Z',
  ceilings: { wallet: 0n, provider: null },
  meterId: null,
  ...change,
})

describe('what is handed on', () => {
  test.each([
    ['everything of one’s own', key, key],
    ['less of everything', key, wanted({})],
    ['any ceiling and time, by a person', person, wanted({ ceilings: { wallet: null, provider: null }, expiresAt: null })],
    [
      'a ceiling, by a key that has none',
      { ...key, ceilings: { wallet: null, provider: null } },
      wanted({ ceilings: { wallet: 5n, provider: null } }),
    ],
    ['the shared ceiling', key, wanted({ ceilings: { wallet: 100n, provider: null }, meterId: 'm' })],
  ])('may be %s', (_what, asker, target) => {
    expect(() => requireWithin(asker, target)).not.toThrow()
  })

  test.each([
    ['another scope', person, wanted({ scopes: ['runs:read', 'keys:write'] }), 'missing_scope'],
    ['a longer time', key, wanted({ expiresAt: '2030-01-01T00:00:00.001Z' }), 'owner_session_required'],
    ['time without end', key, wanted({ expiresAt: null }), 'owner_session_required'],
    ['a ceiling of its own', key, wanted({ ceilings: { wallet: 1n, provider: null } }), 'owner_session_required'],
    ['no ceiling', key, wanted({ ceilings: { wallet: null, provider: null } }), 'owner_session_required'],
    ['another key’s ceiling', key, wanted({ ceilings: { wallet: 1n, provider: null }, meterId: 'other' }), 'owner_session_required'],
  ])('may not be %s', (_what, asker, target, code) => {
    expect(() => requireWithin(asker, target)).toThrow(expect.objectContaining({ code }))
  })
})

describe('a provider ceiling', () => {
  const limited = { ...key, ceilings: { wallet: null, provider: 5n } }
  test('is handed on as nothing to spend, or shared', () => {
    expect(() => requireWithin(limited, wanted({ ceilings: { wallet: null, provider: 0n } }))).not.toThrow()
    expect(() => requireWithin(limited, { ...limited, meterId: 'm' })).not.toThrow()
    for (const provider of [1n, 5n, null])
      expect(() => requireWithin(limited, wanted({ ceilings: { wallet: 0n, provider } }))).toThrow(
        expect.objectContaining({ code: 'owner_session_required' }),
      )
  })
})

describe('the ceilings of a new key', () => {
  const unset = { wallet: undefined, provider: undefined }
  test('are what a person states', () => {
    expect(ceilingsOfNewKey('person', { wallet: '5', provider: '7' })).toEqual({ wallet: 5n, provider: 7n })
    expect(ceilingsOfNewKey('person', { wallet: null, provider: null })).toEqual({ wallet: null, provider: null })
    expect(ceilingsOfNewKey('person', unset)).toEqual({ wallet: null, provider: null })
  })

  test('are nothing to spend where a key with a ceiling makes it, and never what a key states', () => {
    expect(ceilingsOfNewKey({ wallet: 5n, provider: null }, unset)).toEqual({ wallet: 0n, provider: null })
    expect(ceilingsOfNewKey({ wallet: null, provider: 5n }, unset)).toEqual({ wallet: null, provider: 0n })
    for (const amount of ['0', '5', null])
      for (const stated of [
        { ...unset, wallet: amount },
        { ...unset, provider: amount },
      ])
        expect(() => ceilingsOfNewKey({ wallet: null, provider: null }, stated)).toThrow(
          expect.objectContaining({ code: 'owner_session_required' }),
        )
  })
})
