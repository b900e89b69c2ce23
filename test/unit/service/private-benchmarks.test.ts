import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ownBenchmark } from '../../../src/engine/content/benchmarks/own-benchmark.ts'
import type { Task } from '../../../src/engine/tasks/task.ts'
import { createPrivateBenchmark, findVersion } from '../../../src/service/catalog/index.ts'
import { listTasks } from '../../../src/service/catalog/tasks.store.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { temporaryFolder } from '../../support/service.ts'

const at = new Date('2026-11-22T10:00:00.000Z')
const clock = { now: () => at }
let folder: ReturnType<typeof temporaryFolder>
let db: Database

beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'assay.db'))
  migrate(db, at)
  for (const id of ['mine', 'theirs'])
    db.prepare('insert into workspaces (id, name, created_at) values (?, ?, ?)').run(id, id, at.toISOString())
})

afterEach(() => {
  db.close()
  folder.remove()
})

const tasksOf = (count: number): Task[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `case-${i}`,
    split: 'test',
    fields: { input: `What is ${i} + 1?` },
    targets: [String(i + 1)],
    choices: null,
    metadata: {},
    capabilities: [],
    dependsOn: [],
  }))
const definition = ownBenchmark('Support questions', 'support-questions', false)
const nothing = () => undefined

describe('a private benchmark', () => {
  test('is visible to its workspace alone, with every task in order', async () => {
    const made = await createPrivateBenchmark({ db, clock }, 'mine', { definition, tasks: tasksOf(450), shots: [] }, nothing)
    const version = findVersion(db, 'mine', { sourceRef: made.sourceRef })
    if (!version) throw new Error('The version cannot be found.')
    expect(findVersion(db, 'theirs', { sourceRef: made.sourceRef })).toBeUndefined()
    const { items, total } = listTasks(db, version, { limit: 1000, offset: 0, q: '' })
    expect(total).toBe(450)
    expect(items.map(({ task_id }) => task_id)).toEqual(tasksOf(450).map(({ id }) => id))
    expect(made.profileIds).toEqual([`support-questions@${made.version}:zero-shot`])
  })

  test('is the same version when made twice from the same content, and another for other content', async () => {
    const first = await createPrivateBenchmark({ db, clock }, 'mine', { definition, tasks: tasksOf(3), shots: [] }, nothing)
    const again = await createPrivateBenchmark({ db, clock }, 'mine', { definition, tasks: tasksOf(3), shots: [] }, nothing)
    const other = await createPrivateBenchmark({ db, clock }, 'mine', { definition, tasks: tasksOf(4), shots: [] }, nothing)
    expect(again).toEqual({ ...first, created: false })
    expect(other.sourceRef).not.toBe(first.sourceRef)
    expect(db.prepare(`select count(*) as n from benchmark_versions where state = 'ready'`).get()).toEqual({ n: 2 })
  })

  test('is made once where several callers make it at the same time, though the first of them fails', async () => {
    let calls = 0
    const failsFirst = () => {
      calls += 1
      if (calls === 1) throw new Error('database or disk is full')
    }
    const make = () => createPrivateBenchmark({ db, clock }, 'mine', { definition, tasks: tasksOf(450), shots: [] }, failsFirst)
    const [first, ...others] = await Promise.allSettled([make(), make(), make(), make()])
    expect(first?.status).toBe('rejected')
    expect(others.map(one => (one.status === 'fulfilled' ? one.value.created : one.reason))).toEqual([true, false, false])
    expect(db.prepare('select count(*) as n from benchmark_versions').get()).toEqual({ n: 1 })
  })

  test('refuses other content under a taken version', async () => {
    const make = (count: number) =>
      createPrivateBenchmark({ db, clock }, 'mine', { definition, tasks: tasksOf(count), shots: [], version: '1.0.0' }, nothing)
    const first = await make(3)
    expect(await make(3)).toEqual({ ...first, created: false })
    await expect(make(4)).rejects.toThrow('already has a version "1.0.0" with other content')
  })

  test('leaves nothing behind when the commit of its caller fails', async () => {
    const making = createPrivateBenchmark({ db, clock }, 'mine', { definition, tasks: tasksOf(250), shots: [] }, () => {
      throw new Error('database or disk is full')
    })
    await expect(making).rejects.toThrow('disk is full')
    for (const table of ['benchmarks', 'benchmark_versions', 'tasks', 'profiles'])
      expect(db.prepare(`select count(*) as n from ${table}`).get(), table).toEqual({ n: 0 })
  })
})
