import { closeSync, copyFileSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { examine } from '../../src/service/doctor/index.ts'
import { readCommitFile } from '../../src/storage/commit-file.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type ModelServer, startModelServer } from '../journeys/model-server/server.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { profileId, quote, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'

let models: ModelServer
let folder: ReturnType<typeof temporaryFolder>
let service: ChildService
beforeAll(async () => {
  models = await startModelServer({ answers: () => '#### 13', delayMs: 20 })
})
afterAll(() => models.close())
beforeEach(async () => {
  folder = temporaryFolder()
  service = await startChildService(folder.path)
})
afterEach(async () => {
  await service.stop()
  folder.remove()
})

const log = () => join(folder.path, 'assay.db-wal')
const lostChanges = async () => (await service.client.call('getHealth', {})).lost_changes
const missing = () =>
  examine({ dataDir: folder.path, backup: false, now: new Date() }).findings.find(
    ({ check }) => check === 'every commit that was made is there',
  )?.faults

/** Killed in a run, while the log has commits that were not moved into the database yet. */
async function killInARun(): Promise<void> {
  const { id } = await service.client.call('createConnection', {
    body: { name: 'local', base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: 4 } },
  })
  await service.client.call('checkConnection', { params: { connection_id: id } })
  for (;;) {
    const { client } = service
    const { id: quoteId } = await quote(client, {
      model: { kind: 'connection', connection_id: id },
      profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
      coverage: { mode: 'sample', sample_count: 250, seed: 1 },
    })
    const { id: runId } = await submit(client, quoteId)
    await expect.poll(async () => (await client.call('getRun', { params: { run_id: runId } })).progress.scored).toBeGreaterThan(30)
    await service.kill()
    if (commitsWithoutLog() < (readCommitFile(join(folder.path, 'assay.db'))?.commits ?? 0)) return
    service = await startChildService(folder.path)
  }
}

function commitsWithoutLog(): number {
  const copy = join(folder.path, 'without-log.db')
  copyFileSync(join(folder.path, 'assay.db'), copy)
  const db = openDatabase(copy, { readonly: true })
  try {
    return Number(db.prepare('select commits from commits').pluck().get())
  } finally {
    db.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
  }
}

/** In the first frame, after the headers of the log and of the frame. */
function spoilFirstFrame(): void {
  const file = openSync(log(), 'r+')
  const at = 32 + 24 + 100
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, at)
  byte.writeUInt8(byte.readUInt8() ^ 0xff)
  writeSync(file, byte, 0, 1, at)
  closeSync(file)
}

describe('changes that were in a log', () => {
  test.each([
    ['removed', () => rmSync(log())],
    ['damaged', () => spoilFirstFrame()],
  ])(
    'that was %s after a kill are said to be lost at the start, in health, in storage and by the doctor, until dismissed',
    async (_, spoil) => {
      await killInARun()
      spoil()
      expect(missing()).toEqual([expect.stringMatching(/changes are missing from the database/)])
      service = await startChildService(folder.path)
      const lost = await lostChanges()
      expect(lost).toMatchObject({
        commits: expect.any(Number),
        message: expect.stringMatching(/its log \(assay\.db-wal\) was lost or damaged.*run again/),
      })
      // Nothing of the run is in the database, so every call of it in the list is unknown.
      expect(lost?.calls).toBeGreaterThan(0)
      const { status } = await service.client.call('getHealth', {})
      const use = await service.client.call('getStorage', {})
      expect({ status, lost: use.lost_changes }).toEqual({ status: 'degraded', lost })
      // It is said by the next start too, and counted once.
      await service.stop()
      expect(missing()).toEqual([lost?.message])
      service = await startChildService(folder.path)
      expect(await lostChanges()).toEqual(lost)
      expect((await service.client.call('dismissLostChanges', {})).lost_changes).toBeNull()
      expect(await lostChanges()).toBeNull()
      expect(missing()).toEqual([])
    },
  )

  test('are there after a kill alone, also where another program has opened the database since', async () => {
    await killInARun()
    service = await startChildService(folder.path)
    expect(await lostChanges()).toBeNull()
    await service.kill()
    // Moves the log into the database and deletes it.
    openDatabase(join(folder.path, 'assay.db')).close()
    expect(statSync(log(), { throwIfNoEntry: false })).toBeUndefined()
    service = await startChildService(folder.path)
    expect(await lostChanges()).toBeNull()
    expect(missing()).toEqual([])
  })
})
