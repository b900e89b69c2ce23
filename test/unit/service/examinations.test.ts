import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createExaminations } from '../../../src/service/storage/examinations.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { jobsFor } from '../../support/jobs.ts'
import { type MovingClock, movingClock } from '../../support/moving-clock.ts'
import { temporaryFolder } from '../../support/service.ts'

const day = 24 * 3600 * 1000
let folder: ReturnType<typeof temporaryFolder>
let db: Database
let clock: MovingClock

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  folder = temporaryFolder()
  clock = movingClock(Date.parse('2026-11-20T09:30:00.000Z'))
  db = openDatabase(join(folder.path, 'assay.db'))
  migrate(db, clock.now())
})
afterEach(() => {
  vi.useRealTimers()
  db.close()
  folder.remove()
})

test('the database is checked weekly, also after a restart, and damage blocks writes with a reason', async () => {
  let faults: string[] = []
  let looks = 0
  const noteDamage = vi.fn()
  const start = () => {
    const jobs = jobsFor(db, clock)
    const log = pino({ level: 'silent' })
    const examinations = createExaminations(
      { db, clock, log, storage: { noteDamage } },
      { examinePages: async () => (looks++, faults) },
      jobs,
    )
    jobs.start()
    examinations.start()
    const close = async () => {
      examinations.close()
      await jobs.close()
    }
    return { ...examinations, close }
  }
  const pass = async (examinations: ReturnType<typeof start>, ms: number) => {
    clock.advance(ms)
    vi.advanceTimersByTime(5 * 60 * 1000)
    await expect.poll(() => examinations.isRunning()).toBe(false)
  }

  const first = start()
  expect(first.latest()).toBeNull()
  await pass(first, 0)
  expect(first.latest()).toEqual({ at: '2026-11-20T09:30:00.000Z', faults: [] })
  await pass(first, 6 * day)
  expect(looks).toBe(1)
  await first.close()

  const second = start()
  await pass(second, day - 1)
  expect(looks).toBe(1)
  expect(noteDamage).not.toHaveBeenCalled()
  faults = ['row 5 missing from index']
  await pass(second, 1)
  expect(looks).toBe(2)
  expect(second.latest()?.faults).toEqual(faults)
  expect(noteDamage).toHaveBeenCalledOnce()
  await second.close()
})
