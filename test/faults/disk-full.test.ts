import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../journeys/model-server/server.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'

const folder = temporaryFolder()
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=0700', 'tmpfs', folder.path]).status === 0
/** Bytes left to the run once the disk is made full, beside the ballast. */
const left = 256 * 1024
const ballastBytes = 16 * 1024 * 1024

let models: ModelServer
let service: ChildService

beforeAll(async () => {
  models = await startModelServer({ answers: () => `A long answer. ${crypto.randomUUID().repeat(40)}\n#### 13`, delayMs: 5 })
  // A disk this small is always nearly full.
  if (mounted) service = await startChildService(folder.path, ['--keep-free', '0'])
})
afterAll(async () => {
  if (mounted) await service.stop()
  await models.close()
  if (mounted) spawnSync('umount', [folder.path])
  folder.remove()
})

describe(`a disk that fills up in the middle of a run${mounted ? '' : ' (skipped: no small disk can be mounted here)'}`, () => {
  test.skipIf(!mounted)('stops the asking, says so, and the run goes on by itself when there is space again', async () => {
    const { client, baseUrl } = service
    // Whole: a disk that fills up while it is laid leaves none of it.
    const ballast = join(folder.path, 'ballast')
    await expect.poll(() => statSync(ballast, { throwIfNoEntry: false })?.size).toBe(ballastBytes)
    const { id } = await client.call('createConnection', {
      body: { name: 'local', base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: 8 } },
    })
    await client.call('checkConnection', { params: { connection_id: id } })
    const { id: quoteId } = await quote(client, {
      model: { kind: 'connection', connection_id: id },
      profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
      execution: { epochs: 5 },
    })
    const { id: runId } = await submit(client, quoteId, 'too much for this disk')
    const filler = join(folder.path, 'filler')
    fillDisk(filler, left)

    const blocked = await until(async () => (await client.call('getRun', { params: { run_id: runId } })).activity?.blocked ?? null)
    expect(blocked).toMatch(/full/)
    const during = await client.call('listSamples', { params: { run_id: runId }, query: { limit: 50 } })
    expect(during.items.length).toBeGreaterThan(0)
    expect((await client.call('getHealth', {})).storage).toMatchObject({ state: 'full' })

    // What the ballast weighed is room for ending things in order; nothing new takes it.
    expect(existsSync(ballast)).toBe(false)
    const activity = async () => (await client.call('getRun', { params: { run_id: runId } })).activity
    await expect.poll(async () => (await activity())?.requesting).toBe(0)
    const asked = models.requests()
    await client.call('createPurchase', { body: { amount_microusd: '5' } })
    expect((await client.call('getHealth', {})).storage).toMatchObject({ state: 'full' })
    expect(models.requests()).toBe(asked)

    rmSync(filler)
    const run = await runToEnd(client, baseUrl, runId)
    expect(run).toMatchObject({ status: 'complete', progress: { failed: 0, missing: 0 } })
    expect(run.progress.scored).toBe(run.progress.frozen)
    expect(existsSync(ballast)).toBe(true)
  })
})

describe(`a disk that is full at the start${mounted ? '' : ' (skipped: no small disk can be mounted here)'}`, () => {
  test.skipIf(!mounted)(
    'costs the ballast, and Assay starts: it reads and deletes, begins nothing new, and recovers with the space',
    async () => {
      const ballast = join(folder.path, 'ballast')
      await expect.poll(() => statSync(ballast, { throwIfNoEntry: false })?.size).toBe(ballastBytes)
      await service.stop()
      const filler = join(folder.path, 'filler')
      fillDisk(filler, 0)
      service = await startChildService(folder.path, ['--keep-free', '0'])
      expect(existsSync(ballast)).toBe(false)
      const { client } = service
      expect(await client.call('getHealth', {})).toMatchObject({ status: 'degraded', storage: { state: 'full' } })
      const { items } = await client.call('listRuns', {})
      for (const { id } of items) await client.call('deleteRun', { params: { run_id: id } })
      expect((await client.call('listRuns', {})).items).toEqual([])
      rmSync(filler)
      await expect.poll(async () => (await client.call('getHealth', {})).status).toBe('ok')
      expect(existsSync(ballast)).toBe(true)
    },
  )
})

/** Writes into a file until no more than so many bytes are free; the service writes at the same time, and may take the last ones. */
function fillDisk(path: string, leave: number): void {
  const file = openSync(path, 'w')
  try {
    for (let free = freeBytes(); free > leave; free = freeBytes()) writeSync(file, Buffer.alloc(Math.min(free - leave, 1024 * 1024)))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(folder.path)
  return bavail * bsize
}

/** Asks until there is an answer. */
async function until<Value>(ask: () => Promise<Value | null>): Promise<Value> {
  for (;;) {
    const value = await ask()
    if (value !== null) return value
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
