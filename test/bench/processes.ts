import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { frugalArguments, frugalEnvironment } from '../../src/headless/frugal-process.ts'
import { readServiceFile } from '../../src/service/lifecycle/service-file.ts'
import { clientFor, type TestClient } from '../support/service.ts'

const Measured = z.object({
  kind: z.literal('measured'),
  cpuMs: z.number(),
  loopP99: z.number(),
  loopMax: z.number(),
  /** Of the main thread's processor time in a turn, which waiting for a processor is no part of. */
  turnCpuP99: z.number(),
  longestTurnCpuMs: z.number(),
  peakRss: z.number(),
  ownMemory: z.number().nullable(),
  heapUsed: z.number(),
  external: z.number(),
})
export type Measured = z.infer<typeof Measured>

export interface MeasuredService {
  readonly pid: number
  readonly client: TestClient
  readonly baseUrl: string
  readonly sessionToken: string
  /** Milliseconds from the start of its process. */
  readonly readyMs: number
  begin(): void
  end(): Promise<Measured>
  stop(): Promise<void>
}

export interface ServiceOptions {
  /** The command line's entry: `out/main/headless.js`, or its source. */
  readonly entry: string
  readonly dataDir: string
  /** Folder for a CPU profile of each thread; null makes none. */
  readonly profileDir: string | null
  readonly withUi: boolean
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A service in a process of its own, as `npm start` starts it, with a probe in it. */
export async function startMeasuredService({ entry, dataDir, profileDir, withUi }: ServiceOptions): Promise<MeasuredService> {
  const profiling = profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`]
  const started = performance.now()
  const child = fork(entry, ['serve', '--data-dir', dataDir, '--port', '0', '--log-level', 'warn', ...(withUi ? [] : ['--no-ui'])], {
    env: { ...process.env, ...frugalEnvironment },
    execArgv: [...frugalArguments, '--import', new URL('probe.mjs', import.meta.url).href, ...profiling],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  await lineStartingWith(child, 'Assay is ready')
  const readyMs = performance.now() - started
  const file = readServiceFile(dataDir)
  if (!file) throw new Error('The service wrote no service.json.')
  return {
    pid: child.pid ?? 0,
    client: clientFor(file.base_url, file.session_token, file.workspace_id),
    baseUrl: file.base_url,
    sessionToken: file.session_token,
    readyMs,
    begin: () => child.send('begin'),
    end: () => {
      child.send('end')
      return nextMessage(child, Measured)
    },
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function lineStartingWith(child: ChildProcess, beginning: string): Promise<void> {
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) if (line.startsWith(beginning)) return
  }
  throw new Error('The service ended before it was ready.')
}

async function nextMessage<T>(child: ChildProcess, schema: z.ZodType<T>): Promise<T> {
  for (;;) {
    const [message] = await once(child, 'message')
    const parsed = schema.safeParse(message)
    if (parsed.success) return parsed.data
  }
}

export interface ServerProcess {
  readonly baseUrl: string
  stop(): Promise<void>
}

const Address = z.object({ baseUrl: z.string() })

/** The scripted model server in a process of its own, answering every question alike. */
export async function startServerProcess(): Promise<ServerProcess> {
  const child = fork(here('model-server-process.ts'))
  const { baseUrl } = await nextMessage(child, Address)
  return {
    baseUrl,
    stop: async () => {
      child.send('stop')
      await once(child, 'exit')
    },
  }
}
