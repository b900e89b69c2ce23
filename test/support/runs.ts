import { isTerminal } from '../../src/contract/machine.ts'
import type { Quote, QuoteRequest } from '../../src/contract/quotes/quotes.schemas.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { patience } from './machine-speed.ts'
import type { TestClient } from './service.ts'

const longestRunMs = 60_000 * patience()

/** Id of a profile of a benchmark's latest version. */
export async function profileId(client: TestClient, slug: string, key: string): Promise<string> {
  const { profiles } = await client.call('getBenchmark', { params: { slug } })
  const found = profiles.find(profile => profile.id.endsWith(`:${key}`))
  if (!found) throw new Error(`${slug} has no profile ${key}: ${profiles.map(p => p.id).join(', ')}`)
  return found.id
}

export interface RequestedQuote {
  readonly model: QuoteRequest['model']
  readonly profiles: readonly string[]
  readonly coverage?: QuoteRequest['coverage']
  readonly execution?: Partial<QuoteRequest['execution']>
  /** Micro-USD. */
  readonly maxCharge?: string
}

export function quote(
  client: TestClient,
  { model, profiles, coverage = { mode: 'full' }, execution = {}, maxCharge = '0' }: RequestedQuote,
): Promise<Quote> {
  return client.call('createQuote', {
    body: { model, selection: { profile_ids: [...profiles] }, coverage, max_charge_microusd: maxCharge, execution },
  })
}

export async function submit(client: TestClient, quoteId: string, name = 'a run', key: string = crypto.randomUUID()): Promise<Run> {
  const { run } = await client.call('submitRun', { body: { quote_id: quoteId, name }, headers: { 'idempotency-key': key } })
  return run
}

/**
 * Follows the run's own event stream to its end, so that no test has to guess how long it takes.
 * @throws Error with the last event of a run that does not end
 */
export async function runToEnd(client: TestClient, baseUrl: string, id: string): Promise<Run> {
  const signal = AbortSignal.timeout(longestRunMs)
  const reply = await fetch(`${baseUrl}/v1/runs/${id}/events`, { headers: client.headers, signal })
  let last = ''
  try {
    for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) last = chunk
  } catch (cause) {
    throw new Error(`Run ${id} had not ended after ${longestRunMs / 1000} s; the last that it told: ${last}`, { cause })
  }
  const run = await client.call('getRun', { params: { run_id: id } })
  if (!isTerminal(runMachine, run.status)) throw new Error(`The stream ended while the run is ${run.status}.`)
  return run
}
