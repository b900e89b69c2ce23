import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { program } from './program.ts'
import type { TestClient } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** `assay worker` in a process of its own. */
export interface ChildWorker {
  readonly pid: number
  readonly printed: () => string
  /** Has it do nothing with the batches that it takes; resolves once it has taken one. */
  hold(): Promise<void>
  /** Lets it do its work. */
  release(): void
  signal(name: NodeJS.Signals): void
  /** Ends it without a word. */
  kill(): Promise<void>
  /** Asks it to stop; answers the exit code. */
  stop(): Promise<number | null>
  /** The exit code, once it has ended. */
  readonly gone: Promise<number | null>
}

export interface WorkerOptions {
  readonly name: string
  readonly join: string
  readonly queue: string
  readonly key: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A key that lets machines work for the workspace, and nothing else. */
export async function workerKey(client: TestClient, labels: readonly string[] = ['code', 'model.*']): Promise<string> {
  return (await client.call('createApiKey', { body: { name: 'workers', scopes: ['workers:run'], worker_labels: [...labels] } })).key
}

/** Resolves once it has joined; rejects with what it printed when it ends instead. */
export async function startWorker({ name, join, queue, key, args = [], env = {} }: WorkerOptions): Promise<ChildWorker> {
  const gates = temporaryFolder()
  const gate = path.join(gates.path, 'shut')
  const preload = new URL('hold-batches.ts', import.meta.url).href
  const child = spawn(
    process.execPath,
    ['--import', preload, program, 'worker', '--join', join, '--queue', queue, '--name', name, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ASSAY_KEY: key, ASSAY_GATE: gate, ...env },
    },
  )
  let printed = ''
  let holding = Promise.withResolvers<void>()
  const gone = once(child, 'exit').then(() => {
    gates.remove()
    return child.exitCode
  })
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', line => {
        printed += `${line}\n`
        if (line.startsWith('Joined as')) resolve()
        if (line.startsWith('Holding')) holding.resolve()
      })
    void gone.then(code => reject(new Error(`The worker ended with code ${code}: ${printed}`)))
  })
  return {
    pid: child.pid ?? 0,
    printed: () => printed,
    hold: () => {
      holding = Promise.withResolvers()
      writeFileSync(gate, '')
      return holding.promise
    },
    release: () => rmSync(gate, { force: true }),
    signal: signal => void child.kill(signal),
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
    stop: async () => {
      child.kill('SIGTERM')
      return gone
    },
    gone,
  }
}
