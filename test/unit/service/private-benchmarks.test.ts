import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { worldsExamples } from '../../../src/contract/worlds/worlds.examples.ts'
import { NewWorld, WorldDefinition } from '../../../src/contract/worlds/worlds.schemas.ts'
import { ownBenchmark } from '../../../src/engine/content/benchmarks/own-benchmark.ts'
import { worldBenchmark } from '../../../src/engine/importing/worlds/world-benchmark.ts'
import type { Task } from '../../../src/engine/tasks/task.ts'
import { worldTasks } from '../../../src/engine/tasks/world-task.ts'
import { fullProfile, readAhead, visibleBenchmarks } from '../../../src/service/catalog/benchmarks.store.ts'
import { createCatalogService } from '../../../src/service/catalog/catalog.service.ts'
import { createPrivateBenchmark, findVersion } from '../../../src/service/catalog/index.ts'
import { listTasks } from '../../../src/service/catalog/tasks.store.ts'
import { findWorldVersion, insertWorldVersion } from '../../../src/service/worlds/worlds.store.ts'
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
    const { items, total } = listTasks(db, version, { limit: 1000, offset: 0 }, null)
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

  test('lets others have their turn between tasks of which each is long', async () => {
    const tasks = tasksOf(40).map(task => ({ ...task, fields: { input: task.id.repeat(100_000) } }))
    let [turns, isMade] = [0, false]
    const count = () => {
      turns += 1
      if (!isMade) setImmediate(count)
    }
    setImmediate(count)
    const { sourceRef } = await createPrivateBenchmark({ db, clock }, 'mine', { definition, tasks, shots: [] }, nothing)
    isMade = true
    expect(turns).toBeGreaterThan(2 * tasks.length)
    const version = findVersion(db, 'mine', { sourceRef })
    if (!version) throw new Error('The version cannot be found.')
    expect(listTasks(db, version, { limit: 100, offset: 0 }, null).items.map(({ task_id }) => task_id)).toEqual(tasks.map(({ id }) => id))
  })

  test('of a world is listed without its tools’ results, which its profile has', async () => {
    const [result, { tasks, ...lights }] = ['x'.repeat(100_000), NewWorld.parse(worldsExamples.createEnvironment)]
    const tools = lights.tools.map(tool => ({ ...tool, behavior: { kind: 'canned' as const, results: [{ result }] } }))
    const world = { definition: worldBenchmark({ ...lights, tools, tasks }), tasks: worldTasks({ tasks }), shots: [] }
    const { profileIds } = await createPrivateBenchmark({ db, clock }, 'mine', world, nothing)
    await readAhead(db, 'mine')
    const [listed] = visibleBenchmarks(db, 'mine')
    const [version] = listed?.versions ?? []
    if (!version) throw new Error('The version is not listed.')
    expect(JSON.stringify(listed).length).toBeLessThan(20_000)
    expect(version.profiles.map(({ definition: { environment } }) => environment?.world?.tools)).toMatchObject(
      profileIds.map(() => tools.map(({ name }) => ({ name, behavior: { kind: 'canned', results: [] } }))),
    )
    for (const id of profileIds) expect(fullProfile(db, version, id).environment?.world?.tools).toEqual(tools)
  })

  test('of a world is read once by who asks for its profile, however large it is', async () => {
    const { tasks, ...lights } = NewWorld.parse(worldsExamples.createEnvironment)
    const results = [{ result: 'x'.repeat(33 * 1024 * 1024) }]
    const tools = lights.tools.map(tool => ({ ...tool, behavior: { kind: 'canned' as const, results } }))
    const world = { definition: worldBenchmark({ ...lights, tools, tasks }), tasks: worldTasks({ tasks }), shots: [] }
    const { profileIds } = await createPrivateBenchmark({ db, clock }, 'mine', world, nothing)
    const refuse = () => Promise.reject(new Error('Not asked for.'))
    const kernel = { db, config: { dataDir: folder.path }, log: pino({ level: 'silent' }) }
    const threads = { sandbox: refuse, scoringThreads: 1, croissant: refuse, searchTasks: refuse }
    const catalog = createCatalogService(kernel, threads, () => [])
    const [read, late] = [0, 1].map(() => catalog.profile('mine', profileIds[0] ?? ''))
    const definition = read?.definition
    expect(definition?.environment?.world?.tools).toEqual(tools)
    db.prepare('delete from profiles').run()
    expect(read?.definition).toBe(definition)
    expect(() => late?.definition).toThrow(expect.objectContaining({ code: 'not_found' }))
  })

  test('is looked up together with all others once they are known', async () => {
    for (const slug of ['a', 'b', 'c'])
      await createPrivateBenchmark(
        { db, clock },
        'mine',
        { definition: ownBenchmark(slug, slug, false), tasks: tasksOf(2), shots: [] },
        nothing,
      )
    await readAhead(db, 'mine')
    const prepare = vi.spyOn(db, 'prepare')
    await readAhead(db, 'mine')
    expect(prepare).toHaveBeenCalledTimes(1)
    prepare.mockRestore()
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

test('an environment that was kept with more rules than a new one may have stays readable', () => {
  const { slug, ...example } = NewWorld.parse(worldsExamples.createEnvironment)
  const call = { name: example.tools[0]?.name ?? '', arguments: { room: 'x' } }
  const policies = Array.from({ length: 20 }, (_, i) => ({ name: `rule-${i}`, text: 'x'.repeat(420), broken_by: { call } }))
  const tasks = example.tasks.flatMap(task => Array.from({ length: 2_000 }, (_, i) => ({ ...task, id: `t${i}` })))
  const definition = WorldDefinition.parse({ ...example, policies, tasks })
  expect(NewWorld.safeParse({ slug, ...definition }).success).toBe(false)
  const stored = {
    id: '01890000-0000-7000-8000-000000000001',
    slug,
    title: definition.title,
    version: '1',
    source_ref: `${slug}@1`,
    profile_ids: [],
    previous_version_id: null,
    tool_count: definition.tools.length,
    task_count: tasks.length,
    created_at: at.toISOString(),
    definition,
  }
  insertWorldVersion(db, 'mine', stored)
  expect(findWorldVersion(db, 'mine', stored.id)?.definition.policies).toEqual(policies)
})
