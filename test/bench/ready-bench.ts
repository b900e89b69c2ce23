import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/service.ts'
import { startMeasuredService } from './processes.ts'
import { fillFolder } from './synthetic-folder.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))

export interface ReadyBenchOptions {
  readonly samples: number
  readonly rounds: number
  /** Builds' command lines, which take turns. Empty: this checkout's. Those of an older schema cannot open the folder. */
  readonly entries: readonly string[]
}

/** How long a service takes to be ready on a folder with a large run, from the start of its process, and the memory it has then. */
export async function benchReady({ samples, rounds, entries }: ReadyBenchOptions): Promise<void> {
  const folder = temporaryFolder()
  try {
    await fillFolder(folder.path, samples)
    const compared = entries.length > 0 ? entries : [built]
    // Migrates, and writes the compile cache.
    for (const entry of compared) await start(entry, folder.path)
    const starts = compared.map(entry => ({ entry, rows: [] as Awaited<ReturnType<typeof start>>[] }))
    for (let round = 0; round < rounds; round++) for (const { entry, rows } of starts) rows.push(await start(entry, folder.path))
    console.log(`${samples} samples stored, ${rounds} starts each, medians. Load average ${(loadavg()[0] ?? 0).toFixed(1)}.`)
    console.table(
      starts.map(({ entry, rows }) => ({
        entry,
        'ready ms': median(rows.map(({ readyMs }) => readyMs)),
        'CPU ms': median(rows.map(({ cpuMs }) => cpuMs)),
        'memory MB': median(rows.map(({ memoryMb }) => memoryMb)),
      })),
    )
  } finally {
    folder.remove()
  }
}

async function start(entry: string, dataDir: string) {
  const service = await startMeasuredService({ entry, dataDir, profileDir: null, withUi: true })
  const { cpuMs, peakRss } = await service.end()
  await service.stop()
  return { readyMs: service.readyMs, cpuMs, memoryMb: peakRss / 2 ** 20 }
}

function median(values: readonly number[]): number {
  return Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN)
}
