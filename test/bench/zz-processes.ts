import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { readServiceFile } from '../../src/service/lifecycle/service-file.ts'
import { clientFor, type TestClient } from '../support/service.ts'

const Ready = z.object({ kind: z.literal('ready'), ms: z.number(), sinceProcessStart: z.number() })
const Measured = z.object({ kind: z.literal('measured'), cpuMs: z.number(), loopP99: z.number(), loopMax: z.number(), peakRss: z.number() })

export interface MeasuredService {
  readonly client: TestClient
  readonly baseUrl: string
  readonly readyMs: number
  begin(): void
  end(): Promise<z.infer<typeof Measured>>
  stop(): Promise<void>
}

async function nextMessage<T>(child: ChildProcess, schema: z.ZodType<T>): Promise<T> {
  for (;;) {
    const [message] = await once(child, 'message')
    const parsed = schema.safeParse(message)
    if (parsed.success) return parsed.data
  }
}

export async function startMeasuredService(dataDir: string): Promise<MeasuredService> {
  const child = fork(fileURLToPath(new URL("service-process.ts", import.meta.url)), [dataDir], { execArgv: ["--cpu-prof", "--cpu-prof-dir=/tmp/fnd/prof"] })
  const { sinceProcessStart } = await nextMessage(child, Ready)
  const file = readServiceFile(dataDir)
  if (!file) throw new Error('The service wrote no service.json.')
  return {
    client: clientFor(file.base_url, file.session_token, file.workspace_id),
    baseUrl: file.base_url,
    readyMs: sinceProcessStart,
    begin: () => child.send('begin'),
    end: () => {
      child.send('end')
      return nextMessage(child, Measured)
    },
    stop: async () => {
      child.send('stop')
      await once(child, 'exit')
    },
  }
}

export interface ServerProcess {
  readonly baseUrl: string
  stop(): Promise<void>
}

const Address = z.object({ baseUrl: z.string() })

/** The scripted model server in a process of its own, answering every question alike. */
export async function startServerProcess(): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL('model-server-process.ts', import.meta.url)))
  const { baseUrl } = await nextMessage(child, Address)
  return {
    baseUrl,
    stop: async () => {
      child.send('stop')
      await once(child, 'exit')
    },
  }
}
