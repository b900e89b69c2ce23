import { expect, test } from 'vitest'
import { createSealPair, sealKey } from '../../../../src/service/workers/sealed-key.ts'

const secret = { api_key: 'sk-live', headers: { 'x-team': 'blue' } }
const purpose = { workerId: 'worker', connectionId: 'connection', origin: 'https://models.example' }

test('opens for the worker and the purpose that it was sealed for, and nobody and nothing else', () => {
  const [one, other] = [createSealPair(), createSealPair()]
  const sealed = sealKey(secret, one.publicKey, purpose)
  expect(one.open(sealed, purpose)).toEqual(secret)
  expect(() => other.open(sealed, purpose)).toThrow()
  for (const change of [{ workerId: 'x' }, { connectionId: 'x' }, { origin: 'https://elsewhere.example' }])
    expect(() => one.open(sealed, { ...purpose, ...change })).toThrow()
  const bytes = Buffer.from(sealed, 'base64')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(() => one.open(bytes.toString('base64'), purpose)).toThrow()
})

test('never makes the same seal twice', () => {
  const { publicKey } = createSealPair()
  expect(sealKey(secret, publicKey, purpose)).not.toBe(sealKey(secret, publicKey, purpose))
})
