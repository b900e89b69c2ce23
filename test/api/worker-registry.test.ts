import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSealPair } from '../../src/service/workers/sealed-key.ts'
import { createRegistry, lostAfterMs } from '../../src/service/workers/registry.ts'
import { buildVersion } from '../../src/service/workers/build-version.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { movingClock } from '../support/moving-clock.ts'
import { startTestService } from '../support/service.ts'

async function openRegistry() {
  const service = await startTestService()
  const { workspaceId, dataDir } = service
  await service.client.call('getMe', {})
  const db = openDatabase(`${dataDir}/assay.db`)
  const clock = movingClock()
  const registry = createRegistry({ db, clock })
  const { publicKey: public_key } = createSealPair()
  const by = { workspaceId, id: 'a key', isKey: false, name: 'a key' }
  const join = (id: string) =>
    registry.report(by, id, {
      name: 'rack 7',
      labels: ['model.x'],
      slots: 1,
      busy: 0,
      version: buildVersion(),
      sandboxes: [],
      public_key,
      traffic: [],
    })
  const sweepFor = (ms: number) => {
    for (let left = ms; left > 0; left -= 2_000) {
      clock.advance(2_000)
      registry.sweep()
    }
  }
  const close = async () => {
    db.close()
    await service.close()
  }
  return { registry, clock, db, by, join, sweepFor, [Symbol.asyncDispose]: close }
}

test('loses a worker that is silent, and none because the service slept or its clock jumped', async () => {
  await using opened = await openRegistry()
  const { registry, clock, join, sweepFor } = opened
  const id = randomUUID()
  const beat = () => join(id)
  beat()
  clock.advance(3_600_000)
  registry.sweep()
  expect(registry.isPresent(id)).toBe(true)
  sweepFor(lostAfterMs / 2)
  expect(registry.isPresent(id)).toBe(true)
  beat()
  sweepFor(lostAfterMs + 2_000)
  expect(registry.isPresent(id)).toBe(false)
})

test('has two hundred workers of one key at most, and forgets the oldest of those that are gone', async () => {
  await using opened = await openRegistry()
  const { registry, clock, join, db, by } = opened
  const ids = Array.from({ length: 200 }, () => join(randomUUID()).id)
  expect(() => join(randomUUID())).toThrow('"a key" has 200 workers, the most for one key.')
  expect(join(ids[0] ?? '').id).toBe(ids[0])
  for (const id of ids) registry.leave(by, id)
  for (let round = 0; round < 50; round++) {
    clock.advance(1_000)
    registry.leave(by, join(randomUUID()).id)
  }
  expect(Number(db.prepare('select count(*) from workers').pluck().get())).toBe(201)
  expect(join(randomUUID()).status).toBe('active')
})

test('counts lost workers that come back among the two hundred, and forgets those that left before lost ones', async () => {
  await using opened = await openRegistry()
  const { registry, join, by, sweepFor } = opened
  const ids = Array.from({ length: 200 }, () => join(randomUUID()).id)
  sweepFor(lostAfterMs + 2_000)
  expect(join(ids[0] ?? '').status).toBe('active')
  const others = Array.from({ length: 199 }, () => join(randomUUID()).id)
  expect(() => join(ids[1] ?? '')).toThrow('"a key" has 200 workers, the most for one key.')
  for (const id of others) registry.leave(by, id)
  join(randomUUID())
  expect(join(ids[1] ?? '').id).toBe(ids[1])
  expect(registry.own(by, ids[199] ?? '').status).toBe('lost')
})

test('gives nothing to a worker of the version before an update, which is listed until its next heartbeat', async () => {
  await using opened = await openRegistry()
  const { registry, join, by, db } = opened
  const id = randomUUID()
  join(id)
  const counted = () => [registry.takers(by.workspaceId, 'model.x').length, registry.slots('model.x')]
  expect(counted()).toEqual([1, 1])
  expect(() => registry.requireTaker(registry.own(by, id), 'model.x')).not.toThrow()
  db.prepare("update workers set version = '0.0.9' where id = ?").run(id)
  expect(counted()).toEqual([0, 0])
  expect(() => registry.requireTaker(registry.own(by, id), 'model.x')).toThrow('The worker runs Assay 0.0.9 and the service')
})
