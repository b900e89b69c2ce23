import { describe, expect, test } from 'vitest'
import { noRequestSettings } from '../../../../src/contract/connections/request-settings.schemas.ts'
import type { ModelClient } from '../../../../src/engine/clients/model-client.ts'
import { promptTokensAtMost, type TokenRates } from '../../../../src/engine/clients/pricing/pricing.ts'
import { encodeOutcome } from '../../../../src/service/workers/call-outcome.ts'
import { createRemoteClient } from '../../../../src/service/workers/remote-client.ts'

const request = { messages: [{ role: 'user' as const, content: 'Life?' }], temperature: 0, maxOutputTokens: 100, stop: [] }
const local: ModelClient = {
  call: () => Promise.reject(new Error('The call was made locally.')),
  probe: () => Promise.resolve(null),
  close: () => Promise.resolve(),
}
const endpoint = {
  connection_id: '01900000-0000-7000-8000-000000000001',
  protocol: 'openai_chat',
  base_url: 'http://127.0.0.1:1/v1',
  model: 'm',
  streaming: false,
  timeout_ms: 5_000,
  request_settings: noRequestSettings,
  ca_certificates: null,
} as const

/** What counts of a cost that a worker states, in 1e-12 USD, and what is said of it. */
async function counted(statedPicoUsd: number, rates: TokenRates | null) {
  const call = encodeOutcome({
    ok: true,
    output: '42',
    finishReason: 'stop',
    refused: false,
    usage: { inputTokens: 5, outputTokens: 1 },
    request: new Uint8Array(),
    response: new Uint8Array(),
    httpStatus: 200,
    latencyMs: 1,
    statedPicoUsd,
  })
  const sent = { outcome: Promise.resolve({ kind: 'call' as const, call }), recall: () => false, giveUp: () => undefined }
  const outcome = await createRemoteClient(() => sent, endpoint, local, rates).call(request, { signal: new AbortController().signal })
  return { picoUsd: outcome.statedPicoUsd, notes: outcome.notes?.map(({ code }) => code) ?? [] }
}

describe('a cost that a worker states', () => {
  test('counts up to the reserve of its call', async () => {
    const rates = { inputMicroUsdPerMillion: 0n, outputMicroUsdPerMillion: 1_000_000n }
    expect(await counted(1_000_000, rates)).toEqual({ picoUsd: 1_000_000, notes: [] })
    expect(await counted(Number.MAX_SAFE_INTEGER, rates)).toEqual({ picoUsd: 100_000_000, notes: ['usage_ignored'] })
  })

  test('counts up to what the dearest model would cost where the rates are not known', async () => {
    const tokens = promptTokensAtMost(request) + request.maxOutputTokens
    const bound = tokens * 1e9 + 1e12
    expect(await counted(5e11, null)).toEqual({ picoUsd: 5e11, notes: [] })
    expect(await counted(bound, null)).toEqual({ picoUsd: bound, notes: [] })
    expect(await counted(Number.MAX_SAFE_INTEGER, null)).toEqual({ picoUsd: bound, notes: ['usage_ignored'] })
  })
})

test('counts the files of a call as the connection does where workers make its calls', () => {
  const client = createRemoteClient(() => null, endpoint, { ...local, fileTokens: ({ messages }) => 765 * messages.length }, null)
  expect(client.fileTokens?.(request)).toBe(765)
  expect(createRemoteClient(() => null, endpoint, local, null).fileTokens).toBeUndefined()
})
