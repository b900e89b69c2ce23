import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { runMixedLoad } from '../support/mixed-load.ts'
import { temporaryFolder } from '../support/service.ts'
import { startMeasuredService } from './processes.ts'

/** 10,000 requests of 50 clients, with a pause between and without, one in five a write that is on the disk before it is answered. */
const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))
const source = fileURLToPath(new URL('../../src/headless/cli.ts', import.meta.url))

const quantile = (values: readonly number[], p: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))] ?? Number.NaN

const folder = temporaryFolder()
const entry = existsSync(built) ? built : source
const service = await startMeasuredService({ entry, dataDir: folder.path, profileDir: null, withUi: false })
try {
  await runMixedLoad(service, { requests: 1000, clients: 50 })
  console.log(`${entry === built ? 'Built' : 'From source'}. Load average ${(loadavg()[0] ?? 0).toFixed(1)} before.`)
  console.table([await measure(200), await measure(0)])
} finally {
  await service.stop()
  folder.remove()
}

async function measure(pauseMs: number) {
  service.begin()
  const { requests, clients, reads, writes, seconds, lost, forgotten } = await runMixedLoad(service, {
    requests: 10_000,
    clients: 50,
    pauseMs,
  })
  const { cpuMs, loopP99 } = await service.end()
  if (lost.length > 0) console.error(lost.slice(0, 5).join('\n'))
  if (lost.length + forgotten > 0) process.exitCode = 1
  return {
    requests,
    clients,
    'pause ms': pauseMs,
    'requests/s': Math.round(requests / seconds),
    'reads p50 ms': Number(quantile(reads, 0.5).toFixed(1)),
    'reads p99 ms': Number(quantile(reads, 0.99).toFixed(1)),
    'writes p50 ms': Number(quantile(writes, 0.5).toFixed(1)),
    'writes p99 ms': Number(quantile(writes, 0.99).toFixed(1)),
    'service CPU ms/request': Number((cpuMs / requests).toFixed(2)),
    'loop delay p99 ms': Number(loopP99.toFixed(1)),
    lost: lost.length,
    forgotten,
  }
}
