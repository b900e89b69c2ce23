import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { mulberry32 } from '../../src/engine/statistics/random.ts'
import { profileId, quote, runToEnd, submit } from './runs.ts'
import type { TestClient } from './service.ts'

/** What many agents ask at once: mostly reads of what changes, sometimes a write. */
export interface MixedLoad {
  readonly requests: number
  readonly clients: number
  /** Milliseconds of each request, from sending to the last byte. */
  readonly reads: readonly number[]
  readonly writes: readonly number[]
  readonly seconds: number
  /** Requests that were not answered, or not with success, by what came instead. */
  readonly lost: readonly string[]
  /** Writes that were answered and are not there afterwards. */
  readonly forgotten: number
}

export interface LoadOptions {
  readonly clients: number
  /** Sent in all; infinite where `signal` ends it. */
  readonly requests: number
  /** Milliseconds, on average, between two requests of a client; 0 asks without pause, as fast as it is answered. */
  readonly pauseMs?: number
  /** One write in so many requests. */
  readonly writeEvery?: number
  readonly signal?: AbortSignal
}

export async function runMixedLoad(
  service: { readonly client: TestClient; readonly baseUrl: string },
  { requests, clients, pauseMs = 0, writeEvery = 5, signal }: LoadOptions,
): Promise<MixedLoad> {
  const { client, baseUrl } = service
  // What ships with Assay is stored after the first start, and lists of benchmarks wait for it: that is no part of this load.
  await client.call('listBenchmarks', {})
  const runId = await aRun(service)
  const reads = [
    '/v1/runs?limit=20',
    `/v1/runs/${runId}`,
    `/v1/runs/${runId}/samples?limit=50`,
    `/v1/runs/${runId}/results`,
    '/v1/catalog/benchmarks?limit=20',
    '/v1/billing/wallet',
    '/v1/billing/ledger?limit=20',
    '/v1/api-keys',
    '/v1/me',
  ]
  const random = mulberry32(7)
  const pool = new Pool(baseUrl, { connections: clients })
  const times = { reads: [] as number[], writes: [] as number[] }
  const lost: string[] = []
  const made = new Set<string>()
  let sent = 0

  const ask = async (): Promise<void> => {
    const writing = sent++ % writeEvery === 0
    const path = writing ? '/v1/billing/purchases' : (reads[Math.floor(random() * reads.length)] ?? '/v1/me')
    const started = performance.now()
    try {
      const { statusCode, body } = await pool.request({
        method: writing ? 'POST' : 'GET',
        path,
        headers: { ...client.headers, ...(writing ? { 'content-type': 'application/json' } : {}) },
        body: writing ? '{"amount_microusd":"5"}' : null,
      })
      const text = await body.text()
      times[writing ? 'writes' : 'reads'].push(performance.now() - started)
      if (statusCode >= 300) lost.push(`${path}: ${statusCode}`)
      else if (writing) made.add(/"id":"([^"]+)"/.exec(text)?.[1] ?? '')
    } catch (error) {
      lost.push(`${path}: ${String(error)}`)
    }
  }
  const started = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (sent < requests && !signal?.aborted) {
        // Between nothing and twice the pause, so that the clients do not march in step.
        if (pauseMs > 0) await delay(2 * pauseMs * random())
        await ask()
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await pool.close()
  return { requests: sent, clients, ...times, seconds, lost, forgotten: await missing(client, made) }
}

async function aRun({ client, baseUrl }: { readonly client: TestClient; readonly baseUrl: string }): Promise<string> {
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-50' },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
  })
  return (await runToEnd(client, baseUrl, (await submit(client, id)).id)).id
}

async function missing(client: TestClient, made: ReadonlySet<string>): Promise<number> {
  const left = new Set(made)
  for (let cursor: string | undefined; ; ) {
    const { items, next_cursor } = await client.call('listPurchases', { query: { limit: 100, cursor } })
    for (const { id } of items) left.delete(id)
    if (next_cursor === null) return left.size
    cursor = next_cursor
  }
}
