import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSealPair } from '../../src/service/workers/sealed-key.ts'
import { createRegistry, lostAfterMs } from '../../src/service/workers/registry.ts'
import { appVersion } from '../../src/service/version.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { movingClock } from '../support/moving-clock.ts'
import { startTestService } from '../support/service.ts'

test('loses a worker that is silent, and none because the service slept or its clock jumped', async () => {
  await using service = await startTestService()
  const { workspaceId, dataDir } = service
  await service.client.call('getMe', {})
  const db = openDatabase(`${dataDir}/assay.db`)
  const clock = movingClock()
  const registry = createRegistry({ db, clock })
  const { publicKey: public_key } = createSealPair()
  const id = randomUUID()
  const beat = () =>
    registry.report({ workspaceId, id: 'a key', isKey: false, name: 'a key' }, id, {
      name: 'rack 7',
      labels: ['model.x'],
      slots: 1,
      busy: 0,
      version: appVersion,
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
  beat()
  clock.advance(3_600_000)
  registry.sweep()
  expect(registry.isPresent(id)).toBe(true)
  sweepFor(lostAfterMs / 2)
  expect(registry.isPresent(id)).toBe(true)
  beat()
  sweepFor(lostAfterMs + 2_000)
  expect(registry.isPresent(id)).toBe(false)
  db.close()
})
