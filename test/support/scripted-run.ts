import type { QuoteRequest } from '../../src/contract/quotes/quotes.schemas.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import type { HttpFaultName } from '../journeys/model-server/http-faults.ts'
import { type ModelServer, startModelServer } from '../journeys/model-server/server.ts'
import { quote, runToEnd, submit } from './runs.ts'
import type { TestService } from './service.ts'

export interface Script {
  readonly faults?: readonly ('ok' | HttpFaultName)[]
  readonly samples?: number
  /** One attempt a sample, unless it says otherwise. */
  readonly execution?: Partial<QuoteRequest['execution']>
  readonly answers?: (question: string) => string
  readonly delayMs?: number
  readonly onThrottle?: 'adapt' | 'fail_fast'
  readonly rates?: { readonly input_microusd_per_million: string; readonly output_microusd_per_million: string }
}

export interface Scripted {
  readonly run: Run
  readonly quoteId: string
  readonly models: ModelServer
}

/** A run against a model server that goes wrong as told, one call at a time, until it has ended. The first reply goes to the check. */
export async function scriptedRun(service: TestService, profile: string, script: Script): Promise<Scripted> {
  const { faults = [], samples = 6, execution = {}, answers = () => '#### 13', delayMs = 0, onThrottle = 'adapt', rates = null } = script
  const { client, baseUrl } = service
  const models = await startModelServer({ answers, delayMs, faults: ['ok', ...faults] })
  const { id } = await client.call('createConnection', {
    body: { name: 'scripted', base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: 1, on_throttle: onThrottle }, rates },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: samples, seed: 1 },
    execution: { max_attempts: 1, ...execution },
  })
  const { id: runId } = await submit(client, quoteId, 'scripted')
  return { run: await runToEnd(client, baseUrl, runId), quoteId, models }
}
