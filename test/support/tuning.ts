import type { Api } from '../../src/contract/api.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import type { TuneSession } from '../../src/contract/tuning/sessions.schemas.ts'
import { type ModelServer, type ModelServerOptions, startModelServer } from '../journeys/model-server/server.ts'
import { jobEnd } from './judging.ts'
import type { TestClient } from './service.ts'

/** A complete draft: short questions with their answers, answered by a built-in baseline. */
export function newSession(cases = 3): Request<Api['createTuneSession']>['body'] {
  return {
    name: 'Ticket triage',
    call: {
      model: { kind: 'managed', route_id: 'assay/oracle-75' },
      prompt_template: 'Sort this ticket: {input}',
      source: { kind: 'manual' },
    },
    grader: { scorer: 'assay/exact_match' },
    cases: Array.from({ length: cases }, (_, i) => ({
      id: `case-${i}`,
      input: `Ticket ${i}`,
      expected: `label-${i % 3}`,
      origin: { kind: 'trace', ref: `trace-${i}` } as const,
    })),
  }
}

export interface PricedModel {
  readonly id: string
  readonly server: ModelServer
}

/** A checked connection to a scripted model whose tokens cost what is stated, in micro-USD per million. */
export async function pricedModel(
  client: TestClient,
  name: string,
  answers: ModelServerOptions['answers'],
  rate: number | null,
  options: Partial<ModelServerOptions> & { readonly concurrency?: number } = {},
): Promise<PricedModel> {
  const { concurrency = 16, ...script } = options
  const server = await startModelServer({ answers, ...script })
  const rates = rate === null ? null : { input_microusd_per_million: String(rate), output_microusd_per_million: String(rate) }
  const { id } = await client.call('createConnection', {
    body: { name, base_url: server.baseUrl, model: name, limits: { max_concurrency: concurrency }, rates },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  return { id, server }
}

/** Approves the current revision, quotes the candidates and starts them; answers the session once its job has ended. */
export async function raceToEnd(
  client: TestClient,
  sessionId: string,
  candidates: Request<Api['createTuneQuote']>['body']['candidates'],
  mode: 'race' | 'full' = 'race',
): Promise<TuneSession> {
  const started = await startRace(client, sessionId, candidates, mode)
  await jobEnd(client, started.job_id ?? '')
  return client.call('getTuneSession', { params: { session_id: sessionId } })
}

export async function startRace(
  client: TestClient,
  sessionId: string,
  candidates: Request<Api['createTuneQuote']>['body']['candidates'],
  mode: 'race' | 'full' = 'race',
): Promise<TuneSession> {
  const params = { session_id: sessionId }
  const session = await client.call('getTuneSession', { params })
  if (session.status === 'draft') await client.call('approveTuneSession', { params, body: { revision: session.revision } })
  const quote = await client.call('createTuneQuote', { params, body: { candidates, mode, max_charge_microusd: '0' } })
  return client.call('startTuneGroup', { params, body: { quote_id: quote.id }, headers: { 'idempotency-key': crypto.randomUUID() } })
}
