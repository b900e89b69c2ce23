import { beforeEach, describe, expect, test } from 'vitest'
import { ServiceError } from '../../../../src/contract/client.ts'
import {
  beginSubmission,
  finishSubmission,
  forgetSubmission,
  isRefusal,
  readSubmission,
} from '../../../../src/renderer/quotes/submission.ts'

function memory() {
  const held = new Map<string, string>()
  return {
    held,
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => void held.set(name, value),
    removeItem: (name: string) => void held.delete(name),
  }
}

describe('the submission of a quote', () => {
  let store = memory()
  beforeEach(() => {
    store = memory()
  })

  test('is the same for a double click, after a reload and after a lost answer, under any name', () => {
    const first = beginSubmission('q1', 'One', store)
    expect(beginSubmission('q1', 'Two', store)).toEqual(first)
    expect(readSubmission('q1', store)).toEqual({ key: first.key, name: 'One', runId: null })
  })

  test('has one key per quote', () => {
    expect(beginSubmission('q1', 'One', store).key).not.toBe(beginSubmission('q2', 'One', store).key)
  })

  test('remembers the run that it became', () => {
    finishSubmission('q1', beginSubmission('q1', 'One', store), 'r1', store)
    expect(readSubmission('q1', store)).toMatchObject({ name: 'One', runId: 'r1' })
  })

  test('resets after a refusal', () => {
    const first = beginSubmission('q1', 'One', store)
    forgetSubmission('q1', store)
    expect(beginSubmission('q1', 'Two', store)).toMatchObject({ name: 'Two' })
    expect(beginSubmission('q1', 'Two', store).key).not.toBe(first.key)
  })

  test.each(['nonsense', '{"key":1}', '[]', 'null'])('takes %s in the store for nothing', text => {
    store.setItem('assay.submission.q1', text)
    expect(readSubmission('q1', store)).toBeNull()
  })
})

describe('an answer that leaves open whether a run was made', () => {
  const answer = (status: number, code: string) => new ServiceError(status, code, 'no', null)

  test('is none of the refusals, after which another name may be tried', () => {
    expect(isRefusal(answer(409, 'quote_expired'))).toBe(true)
    expect(isRefusal(answer(402, 'insufficient_credit'))).toBe(true)
    expect(isRefusal(answer(422, 'validation_error'))).toBe(true)
  })

  test('is a lost connection, a failing service, and a first request that is still being carried out', () => {
    expect(isRefusal(answer(0, 'unreachable'))).toBe(false)
    expect(isRefusal(answer(500, 'internal_error'))).toBe(false)
    expect(isRefusal(answer(409, 'idempotency_in_progress'))).toBe(false)
    expect(isRefusal(answer(401, 'unauthenticated'))).toBe(false)
    expect(isRefusal(new TypeError('network'))).toBe(false)
  })
})
