import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readServiceFile } from '../../src/service/lifecycle/service-file.ts'
import { clientFor, type TestClient } from './client.ts'
import { prepareData } from './prepared-data.ts'
import { program } from './program.ts'

/** A service in a process of its own, as a user starts it: to be killed, stopped and started again. */
export interface ChildService {
  readonly client: TestClient
  readonly baseUrl: string
  readonly pid: number
  /** Ends it without a word; resolves when it is gone. */
  kill(): Promise<void>
  /** Asks it to stop; answers the exit code. */
  stop(): Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** The signal that ended it, once it has ended; null where it ended by itself. */
  readonly gone: Promise<NodeJS.Signals | null>
}

/**
 * Resolves when the service says that it is ready. A folder without a database gets a prepared one.
 * @param killAt step before which it ends itself, see `kill-at.ts`
 * @param hurry how many times as fast time passes for what waits, see `hurry.ts`
 * @throws Error with what it printed when it ends instead
 */
export async function startChildService(
  dataDir: string,
  options: readonly string[] = [],
  killAt?: string,
  hurry?: number,
): Promise<ChildService> {
  if (!existsSync(join(dataDir, 'assay.db'))) prepareData(dataDir)
  const preloads = [
    ...(killAt === undefined ? [] : ['--import', new URL('kill-at.ts', import.meta.url).href]),
    ...(hurry === undefined ? [] : ['--import', new URL('hurry.ts', import.meta.url).href]),
  ]
  const child = spawn(
    process.execPath,
    [...preloads, program, 'serve', '--data-dir', dataDir, '--port', '0', '--no-ui', '--stop-grace', '0', ...options],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...(killAt === undefined ? {} : { ASSAY_KILL_AT: killAt }),
        ...(hurry === undefined ? {} : { ASSAY_HURRY: String(hurry) }),
      },
    },
  )
  await ready(child)
  const file = readServiceFile(dataDir)
  if (!file || child.pid === undefined) throw new Error('The service wrote no service.json.')
  const gone = once(child, 'exit')
  return {
    client: clientFor(file.base_url, file.session_token, file.workspace_id),
    baseUrl: file.base_url,
    pid: child.pid,
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
    stop: async () => {
      child.kill('SIGTERM')
      const [code] = await gone
      return typeof code === 'number' ? code : null
    },
    signal: name => child.kill(name),
    gone: gone.then(() => child.signalCode),
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', line => {
        printed += `${line}\n`
        if (line.startsWith('Assay is ready')) resolve()
      })
    }
    child.once('exit', code => reject(new Error(`The service ended with code ${code}: ${printed}`)))
  })
}
