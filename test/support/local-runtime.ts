import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assayHere } from './assay-here.ts'
import { startTestService } from './service.ts'

const cache = fileURLToPath(new URL('../../.cache/local-runtime', import.meta.url))

/**
 * The CPU runtime, installed once by the product’s own command into a service’s data folder.
 * @returns its `runtimes` folder; null where the registry cannot be reached, with the reason on standard error
 */
export async function testRuntime(): Promise<string | null> {
  const runtimes = join(cache, 'runtimes')
  if (existsSync(runtimes)) return runtimes
  await using service = await startTestService()
  const { code, err } = await assayHere(['runtime', 'install', 'cpu', '--data-dir', service.dataDir])
  if (code !== 0) {
    if (!err.includes('could not be downloaded')) throw new Error(`The runtime was not installed: ${err}`)
    console.warn(`Tests of local models are skipped: ${err}`)
    return null
  }
  mkdirSync(cache, { recursive: true })
  const staged = `${runtimes}-${process.pid}`
  cpSync(join(service.dataDir, 'runtimes'), staged, { recursive: true })
  try {
    renameSync(staged, runtimes)
  } catch {
    // Another test file was faster.
    rmSync(staged, { recursive: true, force: true })
  }
  return runtimes
}

/** Lets a data folder use the installed runtime. */
export function useRuntime(dataDir: string, runtimes: string): void {
  symlinkSync(runtimes, join(dataDir, 'runtimes'), 'junction')
}
