import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from 'undici'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'
import { startMeasuredService } from './processes.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))

/**
 * Processor time of the service's main thread, and of all its threads, for each read of the mixed load, one at a time: what the
 * connection, the door and a small answer cost is that of `/v1/me`; only what is above it could be done elsewhere. Linux only.
 */
export async function benchReads({ rounds, entry }: { readonly rounds: number; readonly entry: string | null }): Promise<void> {
  const folder = temporaryFolder()
  const service = await startMeasuredService({ entry: entry ?? built, dataDir: folder.path, profileDir: null, withUi: false })
  const connection = new Client(service.baseUrl)
  try {
    const { client, baseUrl } = service
    await client.call('listBenchmarks', {})
    const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
    let runId = ''
    for (let run = 0; run < 20; run++) {
      const { id } = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-50' }, profiles })
      runId = (await runToEnd(client, baseUrl, (await submit(client, id)).id)).id
    }
    const paths = [
      '/v1/me',
      '/v1/runs?limit=20',
      `/v1/runs/${runId}`,
      `/v1/runs/${runId}/samples?limit=50`,
      `/v1/runs/${runId}/samples?limit=50&sort=-latency`,
      `/v1/runs/${runId}/results`,
      '/v1/catalog/benchmarks?limit=20',
      '/v1/billing/wallet',
      '/v1/billing/ledger?limit=20',
      '/v1/api-keys',
    ]
    const ask = async (path: string): Promise<number> => {
      const { statusCode, body } = await connection.request({ method: 'GET', path, headers: client.headers })
      const bytes = (await body.arrayBuffer()).byteLength
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`)
      return bytes
    }
    const batch = 50
    const costs = new Map<string, { main: number[]; all: number[]; bytes: number }>()
    for (let round = -2; round < rounds; round++)
      for (const path of paths) {
        const [main, all] = [cpuUs(service.pid, service.pid), cpuUs(service.pid)]
        let bytes = 0
        for (let i = 0; i < batch; i++) bytes = await ask(path)
        if (round < 0) continue
        const cost = costs.get(path) ?? { main: [], all: [], bytes }
        costs.set(path, cost)
        cost.main.push((cpuUs(service.pid, service.pid) - main) / batch)
        cost.all.push((cpuUs(service.pid) - all) / batch)
      }
    const floor = median(costs.get('/v1/me')?.main ?? [])
    const rows = [...costs].map(([path, { main, all, bytes }]) => ({
      path: path.replace(runId, '…'),
      bytes,
      'main µs': Math.round(median(main)),
      'above /v1/me': Math.round(median(main) - floor),
      'all threads µs': Math.round(median(all)),
    }))
    console.log(`${rounds} rounds of ${batch} requests each, medians. Node ${process.version}.`)
    console.table(rows)
  } finally {
    await connection.close()
    await service.stop()
    folder.remove()
  }
}

/** Microseconds of processor time of one thread, or of all there are. */
function cpuUs(pid: number, thread?: number): number {
  if (thread !== undefined) return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1000
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  // In hundredths of a second, user and system.
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
