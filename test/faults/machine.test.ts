import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { everyKill } from '../support/every-kill.ts'
import { temporaryFolder } from '../support/service.ts'

const folder = temporaryFolder()
let service: ChildService

beforeAll(async () => {
  service = await startChildService(folder.path)
  // What ships with Assay is stored after the first start; its writes would wait for the database as well.
  await service.client.call('listBenchmarks', {})
})
afterAll(async () => {
  await service.stop()
  folder.remove()
})

const purchase = () => service.client.call('createPurchase', { body: { amount_microusd: '5' } })
const limit = (files: string) => spawnSync('prlimit', ['--pid', String(service.pid), `--nofile=${files}`]).status === 0

describe('another program that holds the database', () => {
  const hold = async (ms: number) => {
    const other = openDatabase(join(folder.path, 'assay.db'))
    other.prepare('begin exclusive').run()
    const answer = purchase().then(
      ({ status }) => status as string,
      (error: unknown) => error,
    )
    await new Promise(resolve => setTimeout(resolve, ms))
    other.prepare('rollback').run()
    other.close()
    return answer
  }

  test('for a moment is waited for, while reads are answered, and the write is made', async () => {
    const other = openDatabase(join(folder.path, 'assay.db'))
    other.prepare('begin exclusive').run()
    const written = purchase()
    // The database is given back only after these: a loop that waits inside SQLite would answer none of them, and refuse the write.
    for (let i = 0; i < 5; i++) await service.client.call('listPurchases', {})
    other.prepare('rollback').run()
    other.close()
    expect((await written).status).toBe('open')
  })

  test.runIf(everyKill)(
    'for longer than five seconds makes the write be refused with 503, to be tried again (in npm run test:faults)',
    async () => {
      expect(await hold(7000)).toMatchObject({ status: 503, code: 'unavailable' })
      expect((await purchase()).status).toBe('open')
    },
  )
})

describe.skipIf(process.platform !== 'linux')(
  'a process that may open no more files (skipped where there is no prlimit: that needs Linux)',
  () => {
    test('answers again as soon as there are some, and has lost nothing', async () => {
      const { id } = await purchase()
      const { hostname, port } = new URL(service.baseUrl)
      expect(limit('48:')).toBe(true)
      const sockets: Socket[] = []
      // It is at its limit, or this would prove nothing. What it cannot accept it closes, also while files are open that it closes again:
      // more come until it stays there.
      const knock = async () => {
        const more = Array.from({ length: 40 }, () => createConnection(Number(port), hostname).on('error', () => undefined))
        sockets.push(...more)
        await Promise.all(more.map(socket => new Promise(resolve => socket.once('connect', resolve).once('close', resolve))))
        return readdirSync(`/proc/${service.pid}/fd`).length
      }
      await expect.poll(knock).toBeGreaterThanOrEqual(47)
      for (const socket of sockets) socket.destroy()
      expect(limit('1024:')).toBe(true)
      await expect.poll(() => purchase().then(({ status }) => status, String)).toBe('open')
      const { items } = await service.client.call('listPurchases', { query: { limit: 100 } })
      expect(items.map(item => item.id)).toContain(id)
    })
  },
)
