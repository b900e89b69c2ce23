import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import type { RunWrites, WrittenRun } from '../../../src/storage/runs/run-writes.ts'
import { createRunWriterThread, type RunWriterThread } from '../../../src/workers/run-writer.ts'
import { fillDatabase } from '../../support/filled-database.ts'
import { temporaryFolder } from '../../support/service.ts'

const folder = temporaryFolder()
const path = join(folder.path, 'assay.db')
const openRun: WrittenRun = { runNo: 2, runId: 'open', workspaceId: 'w', payer: null, callBound: 0n, frozen: { kind: 'chosen' } }
const nothing = (): RunWrites => ({
  now: 5,
  attempts: [],
  transcripts: new Uint8Array(),
  transcriptBytes: [],
  scores: [],
  claim: 0,
  claimBelow: null,
})
let db: Database
let writer: RunWriterThread
let thread: Worker | undefined
const noteThread = (worker: Worker) => {
  thread = worker
}
const shared: boolean[] = []

beforeAll(async () => {
  db = openDatabase(path)
  migrate(db, new Date(0))
  fillDatabase(db)
  process.on('worker', noteThread)
  writer = createRunWriterThread(path, db.turns, isShared => shared.push(isShared))
  await writer.open(openRun)
})
afterAll(async () => {
  process.off('worker', noteThread)
  await writer.end()
  db.close()
  folder.remove()
})

const statusOf = (position: number) => db.prepare('select status from samples where run_no = 2 and position = ?').pluck().get(position)

describe('the thread that stores runs', () => {
  test('claims durably, and the other connection sees it', async () => {
    expect(await writer.commit(2, { ...nothing(), claim: 5 })).toMatchObject([{ position: 1, taskNo: 1, fence: 1, attempt: 1 }])
    expect(statusOf(1)).toBe('calling')
    expect(shared).toEqual([true])
  })

  test('stores an answer with its transcript and its scores in one transaction', async () => {
    const transcript = new TextEncoder().encode('three parts')
    const scores = [{ value: 1, class: 'correct', answer: '7', answerSpan: { start: 0, end: 1 }, explanation: 'equal' }]
    await writer.commit(2, {
      ...nothing(),
      attempts: [
        {
          position: 1,
          fence: 1,
          attempt: 1,
          wasMade: true,
          startedAt: 1,
          finishedAt: 2,
          latencyMs: 1,
          failure: null,
          httpStatus: 200,
          finishReason: 'stop',
          refused: false,
          usage: { inputTokens: 3, outputTokens: 4 },
          cost: 0n,
          isBillUnknown: false,
          uncertain: 0n,
          cached: false,
          cacheKey: null,
          preview: '7',
          notices: '',
          servedModel: null,
          isScoredNext: true,
          then: 'grade',
        },
      ],
      transcripts: new Uint8Array(transcript),
      transcriptBytes: [transcript.length],
      scores: [
        {
          position: 1,
          fence: 1,
          finishedAt: 2,
          value: 1,
          passed: 1,
          outputTokens: null,
          answer: { latencyMs: 1, usage: { inputTokens: 3, outputTokens: 4 }, cached: false },
          scores,
        },
      ],
    })
    expect(statusOf(1)).toBe('scored')
    const attempt = db.prepare('select status, output_preview, block_no from attempts where run_no = 2 and position = 1').get()
    expect(attempt).toEqual({ status: 'answered', output_preview: '7', block_no: expect.any(Number) })
    expect(db.prepare('select answer from scores where run_no = 2 and position = 1').pluck().get()).toBe('7')
  })

  test('tells what SQLite said, with its code, and goes on', async () => {
    db.prepare(`create trigger full before update of running_ms on runs begin select raise(abort, 'no room'); end`).run()
    await expect(writer.saveRunningTime(2, 7)).rejects.toMatchObject({ message: 'no room', code: 'SQLITE_CONSTRAINT_TRIGGER' })
    db.prepare('drop trigger full').run()
    await writer.saveRunningTime(2, 7)
    expect(db.prepare('select running_ms from runs where no = 2').pluck().get()).toBe(7)
  })

  test('lets the other connection write and copy the database while it writes without pause', async () => {
    let isOver = false
    let writes = 0
    const writing = (async () => {
      for (; !isOver; writes++) await writer.saveRunningTime(2, writes)
    })()
    let name = ''
    // Until both have written.
    for (let i = 0; i < 50 || writes === 0; i++) {
      name = `name ${i}`
      db.transaction(() => db.prepare('update runs set name = ? where no = 2').run(name))
      await new Promise(resolve => setImmediate(resolve))
    }
    await db.copyTo(join(folder.path, 'copy.db'), () => undefined)
    isOver = true
    await writing
    const copy = openDatabase(join(folder.path, 'copy.db'), { readonly: true })
    expect(copy.prepare('select name from runs where no = 2').pluck().get()).toBe(name)
    expect(copy.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
    copy.close()
  })

  test('tells all who wait when it has crashed, and the next call starts it again with the runs it had', async () => {
    // So that its write can't be done before it ends.
    db.prepare('begin immediate').run()
    const waiting = expect(writer.saveRunningTime(2, 1)).rejects.toThrow('The thread that stores runs ended')
    const ended = thread?.terminate()
    db.prepare('rollback').run()
    await ended
    await waiting
    expect(new Int32Array(db.turns)[0]).toBe(0)
    expect(await writer.commit(2, { ...nothing(), claim: 5 })).toEqual([])
    expect(shared).toEqual([true, false, true])
  })

  test('is not started again once it has ended', async () => {
    await writer.end()
    await expect(writer.commit(2, nothing())).rejects.toThrow('The thread that stores runs has ended.')
    expect(shared).toEqual([true, false, true, false])
  })
})
