import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MetricResult, selectedOnOwnResults } from '../../../../src/contract/runs/results.schemas.ts'
import type { RunStatus } from '../../../../src/contract/runs/run.machine.ts'
import { readLeaderboard } from '../../../../src/service/runs/leaderboard.ts'
import { readReferenceRuns } from '../../../../src/service/runs/reference-runs.ts'
import { findRun } from '../../../../src/service/runs/runs.store.ts'
import { type Database, openDatabase } from '../../../../src/storage/database.ts'
import { runProfiles } from '../../../../src/storage/migrations/0170-run-profiles.ts'
import { runScores } from '../../../../src/storage/migrations/0375-run-scores.ts'
import { migrate } from '../../../../src/storage/migrate.ts'
import { temporaryFolder } from '../../../support/service.ts'
import { quoteFixture } from '../../renderer/quotes/fixtures.ts'

const at = '2026-11-20T09:30:00.000Z'
let folder: ReturnType<typeof temporaryFolder>
let db: Database
beforeAll(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'assay.db'))
  migrate(db, new Date(0))
  for (const workspace of ['w', 'other'])
    db.prepare('insert into workspaces (id, name, created_at) values (?, ?, ?)').run(workspace, workspace, at)
})
afterEach(() => {
  for (const table of ['results', 'run_profiles', 'run_scores', 'runs', 'quotes']) db.prepare(`delete from ${table}`).run()
})
afterAll(() => {
  db.close()
  folder.remove()
})

interface Given {
  readonly baseline?: string
  readonly tasks?: number
  readonly status?: RunStatus
  readonly mode?: 'exact'
  readonly version?: string
  readonly workspace?: string
  readonly archived?: boolean
  readonly deleted?: boolean
  readonly unscored?: boolean
  readonly biased?: boolean
  readonly scorerVersion?: number
}

/** A run with this letter for an id, over the profile of the fixture. */
function add(id: string, given: Given = {}): void {
  const { baseline, tasks = 200, status = 'complete', mode = 'sample', version = 'a', workspace = 'w' } = given
  const fixture = quoteFixture()
  const { status: _, ...quote } = quoteFixture({
    id: crypto.randomUUID(),
    model: { ...fixture.model, model: baseline ?? 'model', title: baseline ?? 'Model', is_model: baseline === undefined },
    profiles: fixture.profiles.map(profile => ({ ...profile, version_digest: version.repeat(64), tasks_selected: tasks })),
    coverage: { ...fixture.coverage, mode, sample_count: tasks, seed: 1, task_digest: id.repeat(64).slice(0, 64) },
    warnings: given.biased ? [{ code: selectedOnOwnResults, message: 'Biased.', profile_id: profileId }] : [],
  })
  db.prepare('insert into quotes (id, workspace_id, created_at, expires_at, record, task_numbers) values (?, ?, ?, ?, ?, ?)').run(
    quote.id,
    workspace,
    at,
    at,
    JSON.stringify(quote),
    Buffer.from([0]),
  )
  const { lastInsertRowid: no } = db
    .prepare(
      `insert into runs (id, workspace_id, quote_id, principal_id, name, status, accounting_state, frozen, max_charge_microusd,
         held_microusd, charged_microusd, search, created_at, result_version, archived_at, deleted_at, retries, unknown_calls)
       values (?, ?, ?, 'x', ?, ?, 'settled', ?, 0, 0, 0, '', ?, 1, ?, ?, 0, 0)`,
    )
    .run(uuid(id), workspace, quote.id, id, status, tasks, at, given.archived ? at : null, given.deleted ? at : null)
  db.prepare('insert into results (run_no, version, created_at, record) values (?, 1, ?, ?)').run(
    no,
    at,
    JSON.stringify({ metrics: [metric(given)] }),
  )
}

const profileId = quoteFixture().profiles[0]?.profile_id ?? ''
const uuid = (id: string) => `01900000-0000-7000-8000-${id.padStart(12, '0')}`

function metric({ unscored = false, scorerVersion = 1 }: Given): MetricResult {
  return MetricResult.parse({
    profile_id: profileId,
    metric: 'strict',
    title: 'Strict',
    scorer: 'native/exact',
    scorer_version: scorerVersion,
    primary: true,
    estimate: {
      mean: unscored ? null : 0.5,
      n: unscored ? 0 : 200,
      standard_error: null,
      interval: null,
      reason: unscored ? 'No sample has a score.' : null,
      cautions: [],
    },
    unscored: 0,
    chance_level: null,
    worst_case: null,
    best_case: null,
  })
}

function references(id: string): string[] {
  const row = findRun(db, 'w', uuid(id))
  if (!row) throw new Error(`There is no run ${id}.`)
  return readReferenceRuns(db, row).map(
    one => `${one.role} ${one.run_id.slice(-12).replace(/^0+/, '')}${one.same_tasks ? '' : ', other tasks'}`,
  )
}

describe('the runs to read a score beside', () => {
  test('are runs over the same tasks, however new others are', () => {
    add('a', { baseline: 'Oracle 75' })
    add('b')
    add('c', { tasks: 30 })
    add('d')
    add('e', { baseline: 'Oracle 90', tasks: 30, mode: 'exact' })
    expect(references('d')).toEqual(['previous b', 'baseline a'])
  })

  test('are found behind any number of other runs', () => {
    add('1', { baseline: 'Oracle 75' })
    db.transaction(() => {
      for (let i = 0; i < 150; i++) add(`a${i.toString(16).padStart(3, '0')}`, { tasks: 30 })
    })
    add('b001')
    expect(references('b001')).toEqual(['previous a095, other tasks', 'baseline 1'])
  })

  test('do not change when more runs come', () => {
    add('a', { baseline: 'Oracle 75' })
    add('b', { baseline: 'Oracle 50' })
    add('c')
    expect(references('c')).toEqual(['baseline b'])
    add('d', { baseline: 'Oracle 90' })
    add('e', { baseline: 'Random' })
    add('f')
    expect(references('c')).toEqual(['baseline b'])
  })

  test('are the first baseline after the run where none was before it, and keep it', () => {
    add('a')
    add('b', { baseline: 'Oracle 75' })
    add('c', { baseline: 'Oracle 90' })
    expect(references('a')).toEqual(['baseline b'])
  })

  test('are complete runs before partial ones', () => {
    add('a', { baseline: 'Oracle 75' })
    add('b', { baseline: 'Oracle 50', status: 'partial' })
    add('c')
    expect(references('c')).toEqual(['baseline a'])
  })

  test('say so where no run is over the same tasks of the same version', () => {
    add('a', { baseline: 'Oracle 75', tasks: 30 })
    add('b', { version: 'b' })
    add('c')
    expect(references('c')).toEqual(['previous b, other tasks', 'baseline a, other tasks'])
  })

  test('are never another run of the same baseline', () => {
    add('a', { baseline: 'Oracle 75' })
    add('b', { baseline: 'Oracle 75' })
    expect(references('b')).toEqual([])
  })

  test('are no run whose score cannot be shown: an older one is shown instead', () => {
    add('a')
    add('b', { unscored: true })
    add('c', { biased: true })
    add('d', { scorerVersion: 2 })
    add('e', { archived: true })
    add('f', { deleted: true })
    add('10', { workspace: 'other' })
    add('11')
    expect(references('11')).toEqual(['previous a'])
  })
})

describe('the profiles of runs', () => {
  test('are the same for runs of a new and of an earlier database', () => {
    add('a')
    add('b', { tasks: 270 })
    add('c', { tasks: 30, mode: 'exact', baseline: 'Oracle 75' })
    const stored = () => db.prepare('select * from run_profiles order by run_no').all()
    const written = stored()
    const digest = 'a'.repeat(64)
    expect(written).toMatchObject([
      { is_model: 1, tasks: `${digest} 200 by seed 1` },
      { is_model: 1, tasks: `${digest} all` },
      { is_model: 0, tasks: `${digest} list ${'c'.repeat(64)}` },
    ])
    const earlier = new Sqlite(join(folder.path, 'assay.db'))
    earlier.exec(`drop trigger run_profiles_of_new; drop table run_profiles; ${runProfiles}`)
    earlier.close()
    expect(stored()).toEqual(written)
  })
})

describe('the scores of runs', () => {
  test('are the same for results of a new and of an earlier database', () => {
    add('a', { unscored: true })
    add('b', { biased: true })
    add('c', { tasks: 30, baseline: 'Oracle 75' })
    const stored = () => db.prepare('select * from run_scores order by run_no').all()
    const written = stored()
    expect(written).toMatchObject([
      { model: 'model', mean: null, scored: 200, biased: 0 },
      { model: 'model', mean: 0.5, biased: 1 },
      { model: 'Oracle 75', mean: 0.5, scored: 30, biased: 0 },
    ])
    const earlier = new Sqlite(join(folder.path, 'assay.db'))
    earlier.exec(
      `drop trigger run_scores_of_result; drop table run_scores; drop index quotes_model; alter table quotes drop column model; ${runScores}`,
    )
    earlier.close()
    expect(stored()).toEqual(written)
  })
})

describe('the leaderboard', () => {
  test('leaves out scores over tasks that the model’s own results chose, and tells metrics apart', () => {
    add('a')
    add('b', { biased: true })
    add('c', { baseline: 'Oracle 75', scorerVersion: 2 })
    const { entries } = readLeaderboard(db, 'w', false)
    expect(entries.map(entry => entry.run_id)).toEqual([uuid('c'), uuid('a')])
    expect(new Set(entries.map(entry => entry.basis.scorer)).size).toBe(2)
  })
})
