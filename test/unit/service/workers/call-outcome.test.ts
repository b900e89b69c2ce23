import { describe, expect, test } from 'vitest'
import { callReportLimits, WorkerCallOutcome } from '../../../../src/contract/workers/worker-calls.schemas.ts'
import type { Answer, Failure } from '../../../../src/engine/clients/model-client.ts'
import { decodeOutcome, encodeOutcome } from '../../../../src/service/workers/call-outcome.ts'

const { text, name, message, toolCalls, notes, earlier } = callReportLimits
const long = 'x'.repeat(text + 1)
const wire = { request: new Uint8Array([1]), response: new Uint8Array([2]), httpStatus: 200, latencyMs: 1 }
const call = { id: 'a'.repeat(name + 1), name: 'b'.repeat(name + 1), arguments: '{}' }
const overlong = {
  ...wire,
  notes: Array.from({ length: notes + 1 }, () => ({ code: 'model_differs' as const, message: 'x'.repeat(message + 1) })),
  earlier: Array.from({ length: earlier + 1 }, () => ({ request: null, response: null })),
}
const answer: Answer = {
  ok: true,
  output: long,
  reasoning: long,
  servedModel: long,
  finishReason: long,
  refused: false,
  usage: { inputTokens: 1, outputTokens: 1 },
  toolCalls: [{ ...call, arguments: long }, ...Array.from({ length: toolCalls }, () => call)],
  ...overlong,
}
const failure: Failure = { ok: false, code: 'provider_failure', message: long, retryAfterMs: null, ...overlong }

describe('what a worker reports of a call that was paid for', () => {
  test.each<readonly [string, Answer | Failure]>([
    ['an answer', answer],
    ['a failure', failure],
    ['what an answer carries', { ...answer, carried: { signature: long } }],
    ['a name in what an answer carries', { ...answer, carried: { ['k'.repeat(name + 1)]: 1 } }],
  ])('is taken however long a provider made %s', (_, outcome) => {
    const { error } = WorkerCallOutcome.safeParse(encodeOutcome(outcome))
    expect(error?.issues ?? []).toEqual([])
  })

  test('comes back as it was where it is no longer than a report may be', () => {
    const short: Answer = { ...answer, ...wire, output: 'o', reasoning: 'r', servedModel: 'm', finishReason: 'stop', toolCalls: [] }
    const { notes: _, earlier: __, ...whole } = { ...short, carried: { content: [{ type: 'thinking', signature: 's' }] } }
    const back = decodeOutcome(WorkerCallOutcome.parse(encodeOutcome(whole)))
    expect(back).toMatchObject({ output: 'o', reasoning: 'r', servedModel: 'm', finishReason: 'stop', carried: whole.carried })
    expect(Buffer.from(back.response ?? [])).toEqual(Buffer.from([2]))
  })
})
