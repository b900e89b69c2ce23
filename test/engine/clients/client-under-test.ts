import { onTestFinished } from 'vitest'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import type { Answer, CallOutcome, Failure, ModelClient, ModelRequest } from '../../../src/engine/clients/model-client.ts'
import { type ModelSettings, openModelClient } from '../../../src/engine/clients/open-model-client.ts'
import { type FaultServer, startFaultServer, type WireScript } from '../../journeys/model-server/fault-server.ts'

/** Looks like a key of a provider, so that it would be noticed anywhere. */
export const apiKey = 'sk-canary-6f1d2c9b8a7e4d3c'

export const question: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is 2 + 2?' },
  ],
  temperature: 0,
  maxOutputTokens: 16,
  stop: [],
}

const never = new AbortController().signal

/** A client that is closed when the test ends. */
export function clientFor(baseUrl: string, settings: Partial<ModelSettings> = {}): ModelClient {
  const client = openModelClient('openai_chat', {
    baseUrl,
    model: 'test-model',
    apiKey,
    headers: {},
    streaming: false,
    attemptTimeoutMs: 60_000,
    connections: 2,
    addressPolicy: createAddressPolicy({ ownOrigin: null }),
    ...settings,
  })
  onTestFinished(() => client.close())
  return client
}

export const ask = (client: ModelClient, signal: AbortSignal = never): Promise<CallOutcome> => client.call(question, { signal })

/** A server that is closed when the test ends. */
export async function faultServer(script: WireScript | ((request: number) => WireScript)): Promise<FaultServer> {
  const server = await startFaultServer(script)
  onTestFinished(() => server.close())
  return server
}

/** What one call to a server with that script amounts to. */
export async function outcomeOf(script: WireScript, settings: Partial<ModelSettings> = {}): Promise<CallOutcome> {
  const server = await faultServer(script)
  return ask(clientFor(server.baseUrl, settings))
}

export function answerIn(outcome: CallOutcome): Answer {
  if (outcome.ok) return outcome
  throw new Error(`Expected an answer, got ${outcome.code}: ${outcome.message}`)
}

export function failureIn(outcome: CallOutcome): Failure {
  if (!outcome.ok) return outcome
  throw new Error(`Expected a failure, got the answer “${outcome.output}”.`)
}

export const textOf = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString())
