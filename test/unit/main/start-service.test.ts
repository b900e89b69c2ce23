import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Host } from '../../../src/service/host.ts'
import { UtilityProcess } from '../../support/utility-process.ts'
import { resetElectron } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { serviceIn } = await import('../../../src/main/start-service.ts')

const serveOverPort = new URL('../../../src/main/serve-over-port.ts', import.meta.url).href
let folder: string
let running: { readonly close: () => Promise<void> } | null

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-service-'))
  resetElectron(folder)
  running = null
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(async () => {
  await running?.close()
  await rm(folder, { recursive: true })
})

const config = { dataDir: '/data', port: 0, portMayMove: false, rendererDir: null, logLevel: 'silent' } as const
const place = { workspaceId: 'w', table: 'connections', rowId: 'c', origin: 'https://a.example' } as const

function hostWith(more: Partial<Host> = {}): Host {
  return {
    kind: 'desktop',
    startProcess: null,
    secrets: {
      unavailableReason: async () => null,
      encrypt: async plain => Buffer.from(`sealed ${plain}`),
      decrypt: async () => Promise.reject(new Error('The keychain does not answer.')),
      sealFormer: async () => null,
    },
    ...more,
  }
}

/** A service in a process of its own, whose `createService` is what is given here; it has `config` and `host`. */
async function start(body: string, host = hostWith()) {
  const script = join(folder, 'service.mjs')
  const create = `async (config, host) => { ${body} }`
  await writeFile(script, `import { serveOverPort } from ${JSON.stringify(serveOverPort)}\nserveOverPort(process.parentPort, ${create})\n`)
  const service = await serviceIn(script)(config, host)
  running = service
  return service
}

const serving = (token = "'t'") =>
  `return { baseUrl: 'http://127.0.0.1:4999', publicUrl: 'http://127.0.0.1:4999', workspaceId: 'w', sessionToken: ${token}, failed: new Promise(() => undefined), close: async () => undefined }`

describe('the service in a process of its own', () => {
  test('states where it is, lends itself the keychain, and its process ends when it is closed', async () => {
    const service = await start(`
      const cipher = await host.secrets.encrypt('ü', ${JSON.stringify(place)})
      const refused = await host.secrets.decrypt(cipher, ${JSON.stringify(place)}).catch(error => error.message)
      const reason = await host.secrets.unavailableReason()
      const former = await host.secrets.sealFormer(cipher, ${JSON.stringify(place)})
      const token = JSON.stringify([Buffer.from(cipher).toString(), refused, reason, former, config.dataDir, host.kind])
      ${serving('token')}`)
    expect(service.baseUrl).toBe('http://127.0.0.1:4999')
    expect(JSON.parse(service.sessionToken)).toEqual(['sealed ü', 'The keychain does not answer.', null, null, '/data', 'desktop'])
    const [child] = UtilityProcess.running
    await service.close()
    await expect.poll(() => child?.pid).toBeUndefined()
  })

  test('says why it could not start, by name and code', async () => {
    await expect(
      start("throw Object.assign(new Error('It runs.'), { name: 'DataFolderInUseError', code: 'EACCES' })"),
    ).rejects.toMatchObject({
      name: 'DataFolderInUseError',
      message: 'It runs.',
      code: 'EACCES',
    })
  })

  test('says that its process ended before it was ready', async () => {
    await expect(start('process.exit(7)')).rejects.toThrow('its process ended with code 7')
  })

  test('starts again after a crash at the same address, with the session of the new one', async () => {
    const service = await start(`
      if (config.port !== 0 && (config.port !== 4999 || config.portMayMove || !config.lockWaitMs)) throw new Error('elsewhere')
      ${serving('String(process.pid)')}`)
    const before = service.sessionToken
    const ended = new Promise<string>(resolve => service.onRestart(resolve))
    process.kill(Number(before), 'SIGKILL')
    expect(await ended).toContain('its process ended')
    expect(service.sessionToken).not.toBe(before)
    expect(service.baseUrl).toBe('http://127.0.0.1:4999')
  })

  test('gives up when it crashes again and again', async () => {
    const service = await start(`if (config.port !== 0) setImmediate(() => process.exit(3)); ${serving('String(process.pid)')}`)
    process.kill(Number(service.sessionToken), 'SIGKILL')
    expect((await service.failed).message).toMatch(/ended 4 times within 5 minutes|could not start/)
  })

  test('gets sandbox processes from the main process, which ends them with it', async () => {
    const killed = vi.fn<() => void>()
    const host = hostWith({
      startProcess: (script, events) => ({
        post: message => events.message([script, message]),
        kill: () => {
          killed()
          events.end('It was killed.')
        },
      }),
    })
    const service = await start(
      `
      const seen = await new Promise(resolve => {
        const child = host.startProcess('/relay.js', {
          message: data => { seenMessage = data; child.kill() },
          end: detail => resolve([seenMessage, detail]),
        })
        let seenMessage = null
        child.post('hello')
      })
      host.startProcess('/left.js', { message: () => undefined, end: () => undefined })
      const token = JSON.stringify(seen)
      ${serving('token')}`,
      host,
    )
    expect(JSON.parse(service.sessionToken)).toEqual([['/relay.js', 'hello'], 'It was killed.'])
    await service.close()
    await expect.poll(() => killed).toHaveBeenCalledTimes(2)
  })

  test('tells a failure after the start, and a failure to close', async () => {
    const service = await start(`
      return { ...(await (async () => { ${serving()} })()), failed: Promise.resolve(new Error('no restart')), close: async () => { throw new Error('disk I/O error') } }`)
    expect((await service.failed).message).toBe('no restart')
    await expect(service.close()).rejects.toThrow('disk I/O error')
    running = null
  })
})

test('leaves the loop of the main process free while the service is busy', async () => {
  // Half a second of work in one turn, as of a large query: in this process it would hold up every menu for as long.
  const service = await start(
    `setInterval(() => { const end = performance.now() + 500; while (performance.now() < end); }, 10); ${serving()}`,
  )
  const cpu = process.threadCpuUsage()
  await delay(1_000)
  // Processor time of this thread: a busy machine makes turns late, not costly. The work of the service would take half a second or more.
  const used = process.threadCpuUsage(cpu)
  expect((used.user + used.system) / 1_000).toBeLessThan(300)
  await service.close()
})
