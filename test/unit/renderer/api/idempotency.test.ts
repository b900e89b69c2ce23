import { beforeEach, describe, expect, test } from 'vitest'
import { createKeyKeeper } from '../../../../src/renderer/api/idempotency.ts'

function memory() {
  const held = new Map<string, string>()
  return {
    held,
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => void held.set(name, value),
    removeItem: (name: string) => void held.delete(name),
  }
}

describe('the idempotency key of a form', () => {
  let storage = memory()
  beforeEach(() => {
    storage = memory()
  })
  const keyOf = (content: unknown, place = 'form') => createKeyKeeper(place, storage).headersFor(content)['idempotency-key']

  test('is the same for a double click and after a reload', () => {
    expect(keyOf({ name: 'a' })).toBe(keyOf({ name: 'a' }))
  })

  test('is another one for other content', () => {
    expect(keyOf({ name: 'a' })).not.toBe(keyOf({ name: 'b' }))
  })

  test('is another one for another form', () => {
    expect(keyOf({ name: 'a' }, 'one')).not.toBe(keyOf({ name: 'a' }, 'two'))
  })

  test('is another one after a success, so that the same may be sent again on purpose', () => {
    const before = keyOf({ name: 'a' })
    createKeyKeeper('form', storage).done()
    expect(keyOf({ name: 'a' })).not.toBe(before)
  })

  test('stores no content, which may contain a secret', () => {
    keyOf({ api_key: 'sk-very-secret' })
    expect([...storage.held.values()].join()).not.toContain('secret')
  })
})
