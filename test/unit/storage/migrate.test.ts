import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate, statementsOf } from '../../../src/storage/migrate.ts'
import { migrations } from '../../../src/storage/migrations/migrations.ts'
import { everyKill } from '../../support/every-kill.ts'
import { asFilled, kept, makeOldDatabase } from '../../support/old-schema.ts'
import { temporaryFolder } from '../../support/service.ts'
import { cpuMsOf, patience, slowness } from '../../support/machine-speed.ts'

const now = new Date('2026-11-22T00:00:00.000Z')
const newest = migrations.length
const here = (name: string) => fileURLToPath(new URL(`../../support/${name}`, import.meta.url))

let folder: ReturnType<typeof temporaryFolder>
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'assay.db')
})
afterEach(() => folder.remove())

function bringUpToDate(file = path) {
  const db = openDatabase(file)
  try {
    return migrate(db, now)
  } finally {
    db.close()
  }
}

/** The database, telling of each statement before it is carried out. */
function watched(db: Database, before: () => void): Database {
  const told =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Result) =>
    (...args: Args): Result => {
      before()
      return work(...args)
    }
  return { ...db, prepare: told(db.prepare), pragma: told(db.pragma) }
}

describe('migrating', () => {
  /** `npm run test:faults` tries each; the first, the last and each fourth between them are part of every test run. */
  const versions = Array.from({ length: newest - 1 }, (_, i) => i + 1).filter(
    version => everyKill || version % 4 === 1 || version === newest - 1,
  )
  test.each(versions)('brings the data of schema %i along, after a backup that is sound', version => {
    makeOldDatabase(path, version)
    const { from, to, backup } = bringUpToDate()
    expect({ from, to }).toEqual({ from: version, to: newest })
    expect(kept(path)).toEqual({ version: newest, ...asFilled })
    expect(kept(backup ?? '')).toEqual({ version, ...asFilled })
    expect(bringUpToDate()).toEqual({ from: newest, to: newest, backup: null })
  })

  test('takes no folder for its copy, and is kept from none by a folder in its way', () => {
    makeOldDatabase(path, newest - 1)
    const db = openDatabase(path)
    const endOnceCopied = (line: string) => {
      if (line.startsWith('Copied')) throw new Error('ended')
    }
    expect(() => migrate(db, now, endOnceCopied)).toThrow('ended')
    db.close()
    const backups = join(folder.path, 'backups')
    const copy = join(backups, readdirSync(backups).find(name => name.endsWith('.db')) ?? '')
    rmSync(copy)
    mkdirSync(copy)
    for (const way of [`${copy}.partial`, join(backups, 'pre-v1.db.partial')]) mkdirSync(way)
    // Of the same state, so the copy has that name again.
    expect(bringUpToDate().backup).toBe(copy)
    expect(kept(copy)).toEqual({ version: newest - 1, ...asFilled })
  })

  test('gives stored JSON the names that the API uses now', () => {
    const version = migrations.findIndex(({ name }) => name === '0023-names')
    makeOldDatabase(path, version)
    const db = openDatabase(path)
    const says = 'Its text says "licence": and stays.'
    db.prepare(
      `insert into benchmarks (slug, origin, status, title, runner, definition, search, created_at) values ('b', 'bundled', 'active', 'B', 'lm-eval', ?, '', '')`,
    ).run(JSON.stringify({ summary: says, licence: { name: 'MIT', url: null } }))
    db.prepare(
      `insert into connections (id, workspace_id, kind, name, base_url, model, streaming, limits, has_api_key, header_names, status, last_check, created_at, updated_at)
       values ('c', 'w', 'openai_compatible', 'C', '', '', 0, '{}', 0, '[]', 'ready', ?, '', '')`,
    ).run(JSON.stringify({ capabilities: [{ capability: 'tools', proved: true, detail: '' }] }))
    db.close()
    bringUpToDate()
    const updated = openDatabase(path, { readonly: true })
    try {
      expect(JSON.parse(String(updated.prepare('select definition from benchmarks').pluck().get()))).toEqual({
        summary: says,
        license: { name: 'MIT', url: null },
      })
      expect(JSON.parse(String(updated.prepare('select last_check from connections').pluck().get()))).toEqual({
        capabilities: [{ capability: 'tools', verified: true, detail: '' }],
      })
    } finally {
      updated.close()
    }
  })

  test('gives the mean of an older check of outputs an interval that is not known', () => {
    const version = migrations.findIndex(({ name }) => name === '0123-detector-intervals')
    makeOldDatabase(path, version)
    const db = openDatabase(path)
    db.pragma('foreign_keys = off')
    const insert = db.prepare(
      `insert into tune_occurrences (id, monitor_no, kind, trigger, status, job_id, detector, created_at) values (?, 1, 'workload', '{}', 'complete', 'j', ?, '')`,
    )
    insert.run('graded', '{"floor":0.7,"mean":0.8}')
    insert.run('failed', null)
    db.close()
    bringUpToDate()
    const updated = openDatabase(path, { readonly: true })
    try {
      expect(updated.prepare('select detector from tune_occurrences order by no').pluck().all()).toEqual([
        '{"floor":0.7,"mean":0.8,"interval":null}',
        null,
      ])
    } finally {
      updated.close()
    }
  })

  test('gives occurrences that were given up a reason of their own', () => {
    makeOldDatabase(
      path,
      migrations.findIndex(({ name }) => name === '0421-given-up-occurrences'),
    )
    const db = openDatabase(path)
    db.prepare(
      `insert into schedules (id, workspace_id, name, status, cron, time_zone, terms, frozen, max_monthly_microusd, owner_id, created_at)
       values ('s', 'w', 'Nightly', 'paused', '0 6 * * *', 'UTC', '{}', '{}', 0, 'k', '')`,
    ).run()
    const insert = db.prepare(
      `insert into schedule_occurrences (id, schedule_no, due_at, status, reason, message, created_at) values (?, 1, '', 'failed', ?, ?, '')`,
    )
    insert.run('given up', 'refused', 'The run could not be started until its next time, or for an hour: The counting thread is busy.')
    insert.run('refused', 'refused', 'The run could not be started. The work needed more memory than 1024 MB and was stopped.')
    insert.run('paused', 'paused', 'The schedule is paused.')
    db.close()
    bringUpToDate()
    const updated = openDatabase(path, { readonly: true })
    try {
      expect(updated.prepare('select id, reason from schedule_occurrences order by no').raw().all()).toEqual([
        ['given up', 'gave_up'],
        ['refused', 'refused'],
        ['paused', 'paused'],
      ])
    } finally {
      updated.close()
    }
  })

  test('gives media that were kept as long as their workspace to what shows them, and a week to the others', () => {
    makeOldDatabase(
      path,
      migrations.findIndex(({ name }) => name === '0417-media-owners'),
    )
    const digests = ['both', 'case', 'current', 'forgotten', 'revised', 'second', 'upload'].map(
      name => [name, name.padEnd(64, '0')] as const,
    )
    const [both, ofCase, current, , revised, second] = digests.map(([, digest]) => `sha256:${digest}`)
    const foreign = `sha256:${'a'.repeat(64)}`
    const db = openDatabase(path)
    db.prepare(`insert into workspaces (id, name, created_at) values ('other', 'Other', '')`).run()
    const insertMedia = db.prepare(
      `insert into media (digest, media_type, bytes, cautions, created_at) values (?, 'image/png', 1, '[]', '')`,
    )
    const refer = db.prepare('insert into media_references (workspace_id, digest, expires_at) values (?, ?, ?)')
    for (const [name, digest] of digests) {
      insertMedia.run(digest)
      refer.run('w', digest, name === 'upload' ? '2026-11-29T00:00:00.000Z' : '9999-12-31T23:59:59.999Z')
    }
    const insertDataset = db.prepare(
      `insert into datasets (id, workspace_id, name, description, task, search, created_at, updated_at) values (?, ?, 'D', '', 'answer', '', '', '')`,
    )
    const insertExample = db.prepare(
      `insert into dataset_examples (id, dataset_no, revision, digest, origin_kind, review_state, created_at, updated_at)
       values (?, ?, 1, x'00', 'manual', 'draft', '', '')`,
    )
    const insertRevision = db.prepare(
      `insert into dataset_revisions (example_no, revision, content, digest, made_by, created_at) values (?, ?, ?, x'00', '{}', '')`,
    )
    for (const [id, workspace] of [
      ['own', 'w'],
      ['stranger', 'other'],
    ] as const) {
      const example = insertExample.run(id, insertDataset.run(id, workspace).lastInsertRowid).lastInsertRowid
      insertRevision.run(example, 1, JSON.stringify({ input: { image: revised } }))
      insertRevision.run(example, 2, JSON.stringify({ input: JSON.stringify([current, second, foreign, 'sha256:cut']), output: [both] }))
    }
    db.prepare(
      `insert into tune_sessions (id, workspace_id, name, search, status, automation, revision, case_count, case_bytes, next_position,
         owner_kind, owner_id, principal_id, created_at, updated_at)
       values ('s', 'w', 'S', '', 'draft', 0, 1, 1, 1, 1, 'person', 'p', 'p', '', '')`,
    ).run()
    db.prepare(`insert into tune_cases (session_no, position, from_revision, id, content, digest) values (1, 1, 1, 'c', ?, x'00')`).run(
      JSON.stringify({ input: [{ media: ofCase }, { media: both }, { media: both }] }),
    )
    db.close()
    bringUpToDate()
    const updated = openDatabase(path)
    const references = () =>
      updated
        .prepare(
          `select rtrim(digest, '0'), dataset_no, session_no, expires_at > '9999' from media_references order by dataset_no, session_no, digest`,
        )
        .raw()
        .all()
    try {
      expect(references()).toEqual([
        ...digests.map(([name]) => [name, null, null, 0]),
        ['both', null, 1, 1],
        ['case', null, 1, 1],
        ['both', 1, null, 1],
        ['current', 1, null, 1],
        ['revised', 1, null, 1],
        ['second', 1, null, 1],
      ])
      const expiries = updated.prepare('select expires_at from media_references where digest in (?, ?) and dataset_no is null order by no')
      const [forgotten, upload] = expiries.pluck().all(digests[3]?.[1], digests[6]?.[1])
      expect(upload).toBe('2026-11-29T00:00:00.000Z')
      expect(new Date(String(forgotten)).toISOString()).toBe(forgotten)
      expect(new Date(String(forgotten)).getTime() - Date.now()).toBeGreaterThan(6 * 86_400_000)
    } finally {
      updated.close()
    }
  })

  test('reads an example that names thousands of digests once for the owners of media', async () => {
    makeOldDatabase(
      path,
      migrations.findIndex(({ name }) => name === '0417-media-owners'),
    )
    const db = openDatabase(path)
    const marks = Array.from({ length: 14_000 }, (_, i) => `sha256:${i.toString(16).padStart(64, '0')}`)
    for (const name of [marks[0], marks.at(-1)]) {
      const digest = name?.slice(7)
      db.prepare(`insert into media (digest, media_type, bytes, cautions, created_at) values (?, 'image/png', 1, '[]', '')`).run(digest)
      db.prepare(`insert into media_references (workspace_id, digest, expires_at) values ('w', ?, '9999-12-31T23:59:59.999Z')`).run(digest)
    }
    db.prepare(
      `insert into datasets (id, workspace_id, name, description, task, search, created_at, updated_at) values ('d', 'w', 'D', '', 'answer', '', '', '')`,
    ).run()
    db.prepare(
      `insert into dataset_examples (id, dataset_no, revision, digest, origin_kind, review_state, created_at, updated_at)
       values ('e', 1, 1, x'00', 'manual', 'draft', '', '')`,
    ).run()
    db.prepare(
      `insert into dataset_revisions (example_no, revision, content, digest, made_by, created_at) values (1, 1, ?, x'00', '{}', '')`,
    ).run(JSON.stringify({ input: `"requirements.txt"\n\\${marks.join(' \\\n\t')}` }))
    db.close()
    // With a copy of what follows for each of them this is ten seconds.
    expect(await cpuMsOf(bringUpToDate)).toBeLessThan(3000 * slowness())
    const updated = openDatabase(path)
    try {
      expect(updated.prepare('select digest from media_references where dataset_no = 1 order by digest').pluck().all()).toEqual(
        [marks[0], marks.at(-1)].map(name => name?.slice(7)),
      )
    } finally {
      updated.close()
    }
  })

  test('makes the benchmark of an older import of logs a list', () => {
    const version = migrations.findIndex(({ name }) => name === '0140-log-benchmarks')
    makeOldDatabase(path, version)
    const db = openDatabase(path)
    const insert = db.prepare(
      `insert into answer_imports (id, workspace_id, status, job_id, principal_id, form, record, created_at) values (?, 'w', 'imported', 'j', 'p', '{}', ?, '')`,
    )
    const runs = [{ run_id: 'r', model: 'it\'s "m"' }]
    insert.run(
      'log',
      JSON.stringify({
        tasks: { total: 3 },
        runs,
        benchmark: { slug: 'b', source_ref: 'eval://local/b/1', already_present: true },
        warnings: [],
      }),
    )
    insert.run('table', JSON.stringify({ tasks: { total: 3 }, runs: [], benchmark: null, warnings: ['w'] }))
    db.close()
    bringUpToDate()
    const updated = openDatabase(path, { readonly: true })
    try {
      const records = updated.prepare('select record from answer_imports order by id').pluck().all()
      expect(records.map(record => JSON.parse(String(record)))).toEqual([
        {
          tasks: { total: 3 },
          runs: [{ run_id: 'r', model: 'it\'s "m"', profile_id: null }],
          benchmarks: [{ slug: 'b', title: 'b', tasks: 3, source_ref: 'eval://local/b/1', already_present: true }],
          warnings: [],
        },
        { tasks: { total: 3 }, runs: [], benchmarks: [], warnings: ['w'] },
      ])
    } finally {
      updated.close()
    }
  })

  /** `npm run test:faults` looks at the files after each statement. */
  const each = everyKill ? 1 : 4
  test('that ends at any statement leaves what a next start brings up to date', () => {
    makeOldDatabase(path, 1)
    const states = join(folder.path, 'states')
    mkdirSync(states)
    let steps = 0
    const db = openDatabase(path)
    // What is in the files at that moment is what a kill leaves: the system writes the rest of it, the process nothing more.
    migrate(
      watched(db, () => {
        if (++steps % each !== 0) return
        for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, join(states, `${steps}.db${suffix}`))
      }),
      now,
    )
    db.close()
    expect(steps).toBeGreaterThan(migrations.slice(1).flatMap(({ sql }) => statementsOf(sql)).length)
    for (let step = each; step <= steps; step += each) {
      const left = join(states, `${step}.db`)
      expect({ step, found: kept(left) }).toEqual({ step, found: { version: 1, ...asFilled } })
      // They are the same to the next start; some of them stand for all.
      if (step % (10 * each) !== 0) continue
      bringUpToDate(left)
      expect({ step, found: kept(left) }).toEqual({ step, found: { version: newest, ...asFilled } })
    }
  })

  /** `npm run test:faults` kills at each; one at the beginning, one in the middle and one after the last are part of every test run. */
  const every = everyKill
  test(`that is killed before ${every ? 'each' : 'some'} of its statements is done anew at the next start`, {
    timeout: 300_000 * patience(),
  }, () => {
    const open = (killAt: string) =>
      spawnSync(process.execPath, ['--import', here('kill-at.ts'), here('open-data-process.ts'), folder.path], {
        env: { ...process.env, ASSAY_KILL_AT: killAt },
      })
    // One that was prepared before is not prepared, and so not counted, a second time.
    const statements = new Set(migrations.slice(1).flatMap(({ sql }) => statementsOf(sql))).size
    let killed = 0
    for (let at = 1; ; at += every ? 1 : Math.ceil(statements / 2)) {
      for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name), { recursive: true })
      makeOldDatabase(path, 1)
      const { signal } = open(`statement:${at}`)
      const isOver = signal !== 'SIGKILL'
      if (!isOver) {
        killed++
        expect({ at, found: kept(path) }).toEqual({ at, found: { version: 1, ...asFilled } })
        expect(open('').status).toBe(0)
      }
      expect({ at, found: kept(path) }).toEqual({ at, found: { version: newest, ...asFilled } })
      if (isOver) break
    }
    expect(killed).toBeGreaterThan(every ? statements : 1)
  })
})
