import { existsSync, readdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/service.ts'
import { type MeasuredService, startMeasuredService } from './processes.ts'
import { fillFolder } from './synthetic-folder.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))

/** What people ask of a large run, each while nothing else happens: its time, the longest turn of the main loop, the peak of memory. */
export async function benchLooks(samples: number): Promise<void> {
  const folder = temporaryFolder()
  const id = await fillFolder(folder.path, samples, true)
  const service = await startMeasuredService({ entry: built, dataDir: folder.path, profileDir: null, withUi: false })
  try {
    await indexMade(folder.path)
    const run = `/v1/runs/${id}`
    const looks: Readonly<Record<string, string>> = {
      'first search': `${run}/samples?q=place9999&limit=100`,
      'search with none': `${run}/samples?q=nowhere&limit=100`,
      'frequent word': `${run}/samples?q=word7&limit=100`,
      'two words': `${run}/samples?q=word70+word700&limit=100`,
      phrase: `${run}/samples?q="word7+word70"&limit=100`,
      'a word without another': `${run}/samples?q=word70+-word7&limit=100`,
      'two words, wrong, slowest first': `${run}/samples?q=word70+word700&outcome=wrong&sort=-latency&limit=100`,
      'exact text of two words': `${run}/samples?q=word70+word700&match=exact&limit=100`,
      'exact text within a word': `${run}/samples?q=ord4321&match=exact&limit=100`,
      'a sign, every block read': `${run}/samples?q=%24&match=exact&limit=100`,
      'slowest samples': `${run}/samples?sort=-latency&limit=100`,
      outcomes: `${run}/outcomes`,
      results: `${run}/results`,
      CSV: `${run}/export?format=csv`,
      'CSV again': `${run}/export?format=csv`,
      JSON: `${run}/export?format=json`,
      HTML: `${run}/export?format=html`,
      Parquet: `${run}/exports/parquet`,
    }
    const rows = []
    for (const [what, path] of Object.entries(looks)) rows.push({ what, ...(await look(service, path, samples)) })
    console.log(`${samples} samples. Load average ${(loadavg()[0] ?? 0).toFixed(1)}.`)
    console.table(rows)
  } finally {
    await service.stop()
    folder.remove()
  }
}

/** A start makes the index that searches read. */
async function indexMade(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'cache', 'search')
  while (!existsSync(folder) || !readdirSync(folder).some(name => name.endsWith('.index')))
    await new Promise(resolve => setTimeout(resolve, 50))
}

async function look(service: MeasuredService, path: string, samples: number) {
  service.begin()
  const started = performance.now()
  const reply = await fetch(service.baseUrl + path, { headers: service.client.headers })
  let bytes = 0
  for await (const chunk of reply.body ?? []) bytes += chunk.length
  const ms = performance.now() - started
  if (!reply.ok) throw new Error(`${path} was refused with ${reply.status}.`)
  const { cpuMs, longestTurnCpuMs, loopP99, peakRss } = await service.end()
  return {
    ms: Math.round(ms),
    'CPU ms': Math.round(cpuMs),
    'samples/s': Math.round((samples / ms) * 1000),
    bytes,
    'longest turn, CPU ms': Math.round(longestTurnCpuMs),
    'loop p99 ms': Math.round(loopP99),
    'peak MB': Math.round(peakRss / 2 ** 20),
  }
}
