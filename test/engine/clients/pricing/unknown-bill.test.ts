import { expect, test } from 'vitest'
import type { CallOutcome } from '../../../../src/engine/clients/model-client.ts'
import { isBillUnknown } from '../../../../src/engine/clients/pricing/unknown-bill.ts'
import { answered, failed } from '../../execution/scheduler/fixtures.ts'

const sent = { request: new Uint8Array(1) }
const counted = { inputTokens: 1, outputTokens: 0 }

test.each<[string, CallOutcome, boolean]>([
  ['an answer without a count is estimated', answered('13', { usage: null }), false],
  ['a success that could not be read', failed('bad_response', { ...sent, httpStatus: 200 }), true],
  ['a success that was too large', failed('response_too_large', { ...sent, httpStatus: 200 }), true],
  ['something that is not HTTP', failed('bad_response', { ...sent, httpStatus: null }), true],
  ['a timeout', failed('timeout', sent), true],
  ['a timeout before anything was sent', failed('timeout'), false],
  ['a call cut off in flight', failed('cancelled', sent), true],
  ['a call that was not made', failed('cancelled'), false],
  ['a worker that stopped responding', failed('worker_lost'), true],
  ['a refused connection', failed('unreachable'), false],
  ['a connection that was cut before the answer', failed('unreachable', sent), true],
  ['an agent that cannot be reached any more', failed('unreachable', { earlier: [{ ...sent, response: null }] }), true],
  [
    'a measurement whose last choice could not be sent',
    failed('unreachable', { earlier: [{ ...sent, response: null }], usage: counted }),
    false,
  ],
  ['a counted success that could not be read', failed('bad_response', { ...sent, httpStatus: 200, usage: counted }), false],
  ['one of a stated price', failed('bad_response', { ...sent, httpStatus: 200, usage: null, statedPicoUsd: 1 }), false],
  ['a counted answer whose error is a timeout', failed('timeout', { ...sent, httpStatus: 200, usage: counted }), false],
  [
    'a measurement whose last choice could not be read',
    failed('bad_response', { ...sent, httpStatus: 200, earlier: [{ ...sent, response: null }], usage: counted }),
    true,
  ],
  ['a time limit of the server', failed('timeout', { ...sent, httpStatus: 408 }), false],
  ['an error in a success', failed('provider_failure', { ...sent, httpStatus: 200 }), false],
  ['an error of the provider', failed('provider_failure', { ...sent, httpStatus: 500 }), false],
  ['a rate limit', failed('rate_limited', { ...sent, httpStatus: 429 }), false],
])('%s', (_, outcome, expected) => {
  expect(isBillUnknown(outcome)).toBe(expected)
})
