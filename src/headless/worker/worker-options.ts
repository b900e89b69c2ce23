import { availableParallelism, hostname } from 'node:os'
import { z } from 'zod'
import { WorkerLabel } from '../../contract/workers/workers.schemas.ts'
import { type Proxies, readProxies } from '../../engine/clients/http/proxies.ts'
import { reservedHeader } from '../../engine/clients/http/reserved-headers.ts'
import { readQueueUrl } from '../queue-url.ts'

export interface WorkerOptions {
  /** Through which model servers are called from this machine. */
  readonly proxies: Proxies
  /** Origin of the service. */
  readonly join: string
  readonly queue: string
  readonly key: string
  readonly name: string
  readonly labels: readonly string[]
  readonly slots: number
  /** This machine's key for a provider, the only origin that it is sent to, and the header where that is not the protocol's own. */
  readonly secret: { readonly value: string; readonly origin: string; readonly header: string | null } | null
}

/** As given on the command line. */
export const WorkerFlags = z.object({
  join: z.string(),
  queue: z.string().optional(),
  labels: z.string().default('code'),
  name: z.string().min(1).max(200).default(hostname()),
  slots: z.coerce.number().int().min(1).max(1024).default(availableParallelism()),
  keyEnv: z.string().default('ASSAY_KEY'),
  secretEnv: z.string().optional(),
  secretOrigin: z.string().optional(),
  secretHeader: z.string().optional(),
})
export type WorkerFlags = z.infer<typeof WorkerFlags>

/** @throws Error naming the option or the environment variable */
export function readWorkerOptions(flags: WorkerFlags, env: NodeJS.ProcessEnv): WorkerOptions {
  const queue = flags.queue ?? env['ASSAY_QUEUE']
  if (queue === undefined)
    throw new Error('Name the queue with --queue postgres://… or in ASSAY_QUEUE, the same that the service was started with.')
  const key = env[flags.keyEnv]
  if (!key) throw new Error(`Put a key with the scope workers:run into the environment variable ${flags.keyEnv}.`)
  const labels = flags.labels.split(',').map(label => label.trim())
  const wrong = labels.find(label => !WorkerLabel.safeParse(label).success)
  if (wrong !== undefined)
    throw new Error(`--labels takes labels of lower-case letters, digits, dots and hyphens, separated by commas, not "${wrong}".`)
  return {
    join: readJoin(flags.join),
    queue: readQueueUrl(queue),
    key,
    name: flags.name,
    labels: [...new Set(labels)],
    slots: flags.slots,
    secret: readSecret(flags, env),
    proxies: readProxies(env),
  }
}

/** The key and people's data pass over it, so that plain HTTP stays on this machine. */
function readJoin(text: string): string {
  const url = URL.parse(text)
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !isLocal) || `${url.origin}/` !== url.href)
    throw new Error(`--join takes https://NAME:PORT, or http://127.0.0.1:PORT on the same machine, not "${text}".`)
  return url.origin
}

function readSecret({ secretEnv, secretOrigin, secretHeader }: WorkerFlags, env: NodeJS.ProcessEnv): WorkerOptions['secret'] {
  if (secretEnv === undefined && secretOrigin === undefined && secretHeader === undefined) return null
  if (secretEnv === undefined || secretOrigin === undefined)
    throw new Error('--secret-env NAME and --secret-origin URL go together: the key is sent to that origin only.')
  const value = env[secretEnv]
  if (!value) throw new Error(`The environment variable ${secretEnv} of --secret-env is empty.`)
  const url = URL.parse(secretOrigin)
  if (url === null || `${url.origin}/` !== url.href)
    throw new Error(`--secret-origin takes https://NAME or https://NAME:PORT, not "${secretOrigin}".`)
  if (secretHeader !== undefined && (!/^[A-Za-z0-9-]{1,100}$/.test(secretHeader) || reservedHeader({ [secretHeader]: '' }) !== null))
    throw new Error(`--secret-header takes the name of a header such as api-key, not "${secretHeader}".`)
  return { value, origin: url.origin, header: secretHeader ?? null }
}
