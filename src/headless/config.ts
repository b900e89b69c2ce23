import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readProxies } from '../engine/clients/http/proxies.ts'
import { defaultPort, type ServiceConfig } from '../service/config.ts'
import { readQueueUrl } from './queue-url.ts'
import { readReach } from './remote.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Seconds that a stop waits for calls in flight unless told otherwise. */
const usualStopGraceSeconds = 10

/** Seconds that a start waits for a lock unless told otherwise. */
const usualLockWaitSeconds = 30

/** Where data lies unless told otherwise: the system's place for an application's data. */
export function defaultDataDir(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env['ASSAY_DATA_DIR']) return env['ASSAY_DATA_DIR']
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Assay')
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Assay')
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'assay')
}

/** The built UI beside this file, for every entry point: `out/main` or `src/headless`. */
export function builtRendererDir(): string | null {
  const candidates = ['../renderer', '../../out/renderer'].map(path => fileURLToPath(new URL(path, import.meta.url)))
  return candidates.find(dir => existsSync(join(dir, 'index.html')) && existsSync(join(dir, 'assets'))) ?? null
}

/** @throws Error naming the option that cannot be used. */
export function readServeOptions(args: readonly string[]): ServiceConfig {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'data-dir': { type: 'string' },
      port: { type: 'string' },
      'no-ui': { type: 'boolean', default: false },
      'log-level': { type: 'string', default: 'info' },
      'key-rate': { type: 'string' },
      host: { type: 'string' },
      'allow-remote': { type: 'boolean', default: false },
      origin: { type: 'string' },
      'tls-cert': { type: 'string' },
      'tls-key': { type: 'string' },
      'behind-proxy': { type: 'string' },
      'keep-free': { type: 'string' },
      queue: { type: 'string' },
      proxy: { type: 'string' },
      'stop-grace': { type: 'string' },
      'lock-wait': { type: 'string' },
    },
  })
  const port = values.port === undefined ? defaultPort : Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port must be a number from 0 to 65535, not "${values.port}".`)
  const logLevel = levels.find(level => level === values['log-level'])
  if (!logLevel) throw new Error(`--log-level must be one of ${levels.join(', ')}, not "${values['log-level']}".`)
  const keyRate = values['key-rate'] === undefined ? null : Number(values['key-rate'])
  if (keyRate !== null && !(Number.isInteger(keyRate) && keyRate >= 1 && keyRate <= 100_000))
    throw new Error(`--key-rate must be 1 to 100000 requests a second, not "${values['key-rate']}".`)
  const remote = readReach(values)
  const queueUrl = values.queue ?? (remote === null ? undefined : process.env['ASSAY_QUEUE'])
  const queue = queueUrl === undefined ? null : readQueue(queueUrl, remote)
  const keepFree = values['keep-free'] === undefined ? null : Number(values['keep-free'])
  if (keepFree !== null && !(Number.isInteger(keepFree) && keepFree >= 0))
    throw new Error(`--keep-free must be a number of megabytes, not "${values['keep-free']}".`)
  const stopGrace = values['stop-grace'] === undefined ? usualStopGraceSeconds : Number(values['stop-grace'])
  if (!(Number.isInteger(stopGrace) && stopGrace >= 0 && stopGrace <= 3600))
    throw new Error(`--stop-grace must be 0 to 3600 seconds, not "${values['stop-grace']}".`)
  const lockWait = values['lock-wait'] === undefined ? usualLockWaitSeconds : Number(values['lock-wait'])
  if (!(Number.isInteger(lockWait) && lockWait >= 0 && lockWait <= 3600))
    throw new Error(`--lock-wait must be 0 to 3600 seconds, not "${values['lock-wait']}".`)
  return {
    dataDir: values['data-dir'] ?? defaultDataDir(),
    port,
    // A proxy and a certificate's name lead to this port and no other, on which a stranger may listen.
    portMayMove: values.port === undefined && remote === null,
    rendererDir: values['no-ui'] ? null : builtRendererDir(),
    logLevel,
    proxies: readProxies(process.env, values.proxy),
    stopGraceMs: stopGrace * 1000,
    lockWaitMs: lockWait * 1000,
    // A second's worth at once.
    ...(keepFree === null ? {} : { keepFree: keepFree * 1024 * 1024 }),
    ...(keyRate === null ? {} : { keyRate: { burst: keyRate, perSecond: keyRate } }),
    ...(remote === null ? {} : { remote }),
    ...(queue === null ? {} : { queue }),
  }
}

/** Workers come from other machines. */
function readQueue(url: string, remote: ServiceConfig['remote'] | null): string {
  if (!remote) throw new Error('--queue also needs --allow-remote, so that workers can reach this service.')
  return readQueueUrl(url)
}
