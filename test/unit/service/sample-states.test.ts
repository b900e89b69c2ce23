import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allows } from '../../../src/contract/machine.ts'
import { sampleStates } from '../../../src/contract/runs/run.machine.ts'
import { type SampleEvent, sampleMachine } from '../../../src/contract/runs/sample.machine.ts'
import { cancelSamples } from '../../../src/service/runs/cancel-samples.store.ts'
import { prepareStatements, type Statements } from '../../../src/storage/runs/execution-statements.store.ts'
import { mergeSome } from '../../../src/service/runs/merge-part.store.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { sources } from '../../architecture/sources.ts'

const runNo = 1
const partNo = 2
const fence = 7
let db: Database
let statements: Statements

// One schema for all: making it takes longer than all the steps.
beforeAll(() => {
  db = openDatabase(':memory:')
  migrate(db, new Date(0))
  // Samples alone: what they belong to has no part in their states.
  db.pragma('foreign_keys = OFF')
  statements = prepareStatements(db)
})
beforeEach(() => {
  for (const table of ['samples', 'run_counts', 'scores', 'attempts']) db.prepare(`delete from ${table}`).run()
})
afterAll(() => db.close())

const insert = (no: number, status: string) =>
  db
    .prepare('insert into samples (run_no, position, profile_no, task_no, epoch, status, fence) values (?, 0, 0, 1, 1, ?, ?)')
    .run(no, status, fence)
const statusOf = () => db.prepare('select status from samples where run_no = ?').pluck().get(runNo)

const end = (name: 'fail' | 'miss' | 'cancel') => () => statements[name].run(1, null, null, 0, runNo, 0, fence)
const endWaiting = (name: 'missWaiting' | 'cancelWaiting') => () => statements[name].run(0, runNo, runNo, 0, 10)

/** The statement that makes each step: a new event of the machine needs one. */
const steps: Readonly<Record<SampleEvent, () => unknown>> = {
  claim: () => statements.claim.all(0, runNo, runNo, 0, 10, 10),
  call_again: () => statements.callAgain.run(2, 0, runNo, 0, fence),
  answer: () => statements.answer.run(1, null, null, 0, runNo, 0, fence),
  score: () => statements.score.run(1, 1, null, 0, runNo, 0, fence),
  fail: end('fail'),
  miss: end('miss'),
  cancel: end('cancel'),
  release: () => statements.release.run(1, runNo, 0),
  miss_waiting: endWaiting('missWaiting'),
  cancel_waiting: endWaiting('cancelWaiting'),
  abandon: () => cancelSamples(db, runNo, 0),
  merge: () => {
    db.prepare('insert into run_counts (run_no, status, n) select run_no, status, 1 from samples').run()
    insert(partNo, 'scored')
    mergeSome(db, { partNo, runNo, version: 2 }, -1, 10)
  },
}

describe.each(Object.keys(steps) as SampleEvent[])('the statement of "%s"', event => {
  test.each(sampleStates)('moves a sample that is %s as the machine says', state => {
    insert(runNo, state)
    steps[event]()
    const isPossible = sampleMachine.states.some(known => known === state && allows(sampleMachine, known, event))
    expect(statusOf()).toBe(isPossible ? sampleMachine.events[event].to : state)
  })
})

test('no statement of the service retypes the state that it leads to', () => {
  const retyped = sources.filter(({ file, text }) => file.startsWith('service/') && /update samples set[^`]*?\bstatus = ['?]/.test(text))
  expect(retyped.map(({ file }) => file)).toEqual([])
})
