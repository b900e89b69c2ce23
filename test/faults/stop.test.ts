import { expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const inFlight = 4
const samples = 30

/** A run of which so many calls are in flight, and hold until they are released. */
async function heldRun(grace: string) {
  const folder = temporaryFolder()
  const released = Promise.withResolvers<void>()
  const full = Promise.withResolvers<void>()
  const models = await startModelServer({
    answers: () => '#### 13',
    // The first request is the check of the connection.
    held: asked => {
      if (asked > inFlight) full.resolve()
      return asked === 1 ? null : released.promise
    },
  })
  const service: ChildService = await startChildService(folder.path, ['--stop-grace', grace])
  const { client } = service
  const { id } = await client.call('createConnection', {
    body: { name: 'held', base_url: models.baseUrl, model: 'm', limits: { max_concurrency: inFlight } },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: samples, seed: 1 },
  })
  const { id: runId } = await submit(client, quoteId)
  await full.promise
  const attempts = () => {
    const db = openDatabase(`${folder.path}/assay.db`, { readonly: true })
    try {
      return db.prepare('select status from attempts order by position').pluck().all()
    } finally {
      db.close()
    }
  }
  return {
    service,
    dataDir: folder.path,
    runId,
    models,
    attempts,
    release: () => released.resolve(),
    close: async () => {
      released.resolve()
      await models.close()
      folder.remove()
    },
  }
}

test('a stop waits for the calls in flight, begins no others and stores what was answered', async () => {
  const { service, models, attempts, release, close } = await heldRun('60')
  const stopped = service.stop()
  // Answered only once the service takes no more requests.
  const isUp = () =>
    service.client.call('getHealth', {}).then(
      () => true,
      () => false,
    )
  await expect.poll(isUp).toBe(false)
  release()
  expect(await stopped).toBe(0)
  expect(attempts()).toEqual(Array.from({ length: inFlight }, () => 'answered'))
  expect(models.requests()).toBe(1 + inFlight)
  await close()
})

test('a stop waits no longer than stated: what was in flight counts as possibly billed at the next start', async () => {
  const { service, models, attempts, release, dataDir, runId, close } = await heldRun('0')
  expect(await service.stop()).toBe(0)
  expect(attempts()).toEqual([])
  expect(models.requests()).toBe(1 + inFlight)
  release()
  const next = await startChildService(dataDir)
  const run = await runToEnd(next.client, next.baseUrl, runId)
  expect(run).toMatchObject({ status: 'complete', accounting: { possibly_billed_twice: inFlight } })
  expect(models.requests()).toBe(1 + inFlight + samples)
  expect(attempts()).toHaveLength(inFlight + samples)
  await next.stop()
  await close()
})
