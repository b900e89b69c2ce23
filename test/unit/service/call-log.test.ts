import { appendFileSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type CallLog, createCallLog, type LoggedCall } from '../../../src/service/runs/call-log.ts'
import { begunAt as begunAmong } from '../../../src/storage/runs/run-writer.store.ts'
import { temporaryFolder } from '../../support/service.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

let files = 0
/** A log that tells of this process, and how to read it as the next process does. */
function startedLog() {
  const path = join(folder.path, `calls-${++files}`)
  const database = join(folder.path, `${files}.db`)
  writeFileSync(database, '')
  const log = createCallLog(path, database)
  log.restart(true)
  return { path, database, log, next: () => createCallLog(path, database) }
}
const begunAt = (log: CallLog, runNo: number, call: LoggedCall) => begunAmong(log.begun(runNo), call)
const call = { position: 7, fence: 2, attempt: 1 }

describe('the log of begun calls', () => {
  test('tells the next process when a call was begun, and that another claim of the sample was not', () => {
    const { log, next } = startedLog()
    log.begin(3, call, 1234.5)
    const after = next()
    expect(begunAt(after, 3, call)).toBe(1234.5)
    expect(begunAt(after, 3, { ...call, fence: 3 })).toBeNull()
    expect(begunAt(after, 3, { ...call, attempt: 2 })).toBeNull()
    expect(begunAt(after, 4, call)).toBeNull()
    expect(begunAt(after, 3, { ...call, position: 8 })).toBeNull()
  })

  test('gives the place of an ended call to another one', () => {
    const { log, next } = startedLog()
    log.begin(3, call, 1)
    log.ended(3, 7)
    log.begin(3, { ...call, position: 8 }, 2)
    const after = next()
    expect([begunAt(after, 3, call), begunAt(after, 3, { ...call, position: 8 })]).toEqual([null, 2])
  })

  test('keeps the beginning of an attempt that takes several calls', () => {
    const { log } = startedLog()
    log.begin(3, call, 1)
    log.begin(3, call, 2)
    expect(begunAt(log, 3, call)).toBe(1)
  })

  test('drops finished runs', () => {
    const { log, next } = startedLog()
    log.begin(3, call, 1)
    log.begin(4, call, 1)
    log.ended(3, 7)
    log.forget(3)
    expect([begunAt(next(), 3, call), begunAt(next(), 4, call)]).toEqual([null, 1])
  })

  test('cannot tell where the file is missing, or the database is another file', () => {
    const { path, log, database } = startedLog()
    log.begin(3, call, 1)
    const copy = `${database}-restored`
    cpSync(database, copy)
    expect(begunAt(createCallLog(path, copy), 3, call)).toBe('unknown')
    expect(begunAt(createCallLog(`${path}-gone`, database), 3, call)).toBe('unknown')
  })

  test('cannot tell after a start at which not every claim was given back', () => {
    const { log } = startedLog()
    log.restart(false)
    log.begin(3, call, 1)
    expect(begunAt(log, 3, call)).toBe('unknown')
  })

  test('reads over an entry that was cut off', () => {
    const { path, log, next } = startedLog()
    log.begin(3, call, 1)
    appendFileSync(path, Buffer.alloc(17, 1))
    expect(begunAt(next(), 3, call)).toBe(1)
  })
})
