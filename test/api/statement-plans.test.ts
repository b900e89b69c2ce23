import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../src/contract/api.ts'
import { fillPath } from '../../src/contract/client.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { fillWorkspace, strangerTo } from '../support/fill-workspace.ts'
import { noteStatements } from '../support/note-statements.ts'
import { prepareData } from '../support/prepared-data.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

/** Tables that may be read from end to end, and why they stay small. */
const smallTables: Readonly<Record<string, string>> = {
  benchmarks: 'as many as benchmarks that people imported',
  benchmark_versions: 'a few of each benchmark',
  commits: 'one row',
  connections: 'as many as endpoints that people entered',
  installation: 'one row',
  local_model_files: 'as many as model files on the disk',
  local_model_folders: 'as many as folders that people chose',
  pairing_codes: 'removed once they have expired',
  release_keys: 'one of each workspace',
  remote_scorers: 'as many as people entered',
  trace_integrations: 'as many as people connected',
  webhooks: 'as many as people entered',
}

/** Statements that may read all of a table that grows, and why. */
const allowedScans: readonly (readonly [statement: RegExp, reason: string])[] = [
  [/^select "no" from "transitions" order by "no" desc limit/, 'reads the last row alone'],
  [/^select count\(\*\) as "files", sum\("bytes"\) as "bytes" from "media"$/, 'a total of all files, for the page of storage'],
  [/^delete from "media" where "digest" in \(select/, 'looks for files that nothing uses, in the background, once in hours'],
  [/from runs r join run_counts c on c\.run_no = r\.no$/, 'totals of all runs from a few rows of each, for the page of storage'],
  [/^select count\(\*\) as "answers", min\("run_no"\) as "oldest" from "cached_answers"$/, 'a total by an index, for the page of storage'],
]

const lists = Object.entries(api as Readonly<Record<string, Endpoint>>).filter(
  // Workers need a queue; workers.test.ts has them.
  ([, { method, kind, path }]) => method === 'GET' && kind === 'json' && !path.startsWith('/v1/workers'),
)
const folder = temporaryFolder()
let service: TestService
let notes: ReturnType<typeof noteStatements>
/** Lists that answered, by operation. */
const answered = new Set<string>()

beforeAll(async () => {
  prepareData(folder.path)
  notes = noteStatements(join(folder.path, 'statements'))
  service = await startTestService({ dataDir: folder.path })
  const stranger = await strangerTo(service)
  const ids = await fillWorkspace(service, stranger)
  const idOf = ({ path }: Endpoint, name: string) =>
    (path.startsWith('/v1/tune-sessions/') ? ids[`tune-sessions/${name}`] : undefined) ?? ids[name] ?? randomUUID()
  for (const [id, endpoint] of lists) {
    const params = Object.fromEntries(Object.keys(endpoint.params?.shape ?? {}).map(name => [name, idOf(endpoint, name)]))
    for (const query of queriesOf(endpoint, ids)) {
      const url = `${service.baseUrl}${fillPath(endpoint.path, params)}?${new URLSearchParams(query)}`
      const reply = await fetch(url, { headers: stranger.client.headers })
      await reply.arrayBuffer()
      if (reply.ok) answered.add(id)
    }
  }
  // What a start asks when there is something to find.
  await service.restart()
})
afterAll(async () => {
  notes.end()
  await service.close()
  folder.remove()
})

/** What is required alone, and with each other parameter at a value of its own, or at each that it can have. */
function queriesOf({ query }: Endpoint, ids: Readonly<Record<string, string>>): Record<string, string>[] {
  if (!query) return [{}]
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  const examples = [ids['comparison_id'], 'word', 'true', '1', '2026-01-01T00:00:00Z', randomUUID()]
  const fields = Object.entries(query.shape).map(([name, schema]) => {
    const accepts = (value: unknown) => z.safeParse(schema, value).success
    const choices = JSON.stringify(properties[name] ?? null).match(/(?<="enum":)\[[^\]]*\]/)?.[0]
    const values: unknown[] = choices === undefined ? [ids[name], ...examples] : JSON.parse(choices)
    const accepted = values.filter(value => value !== undefined && accepts(value)).map(String)
    return { name, isRequired: !accepts(undefined), values: choices === undefined ? accepted.slice(0, 1) : accepted }
  })
  const required = Object.fromEntries(fields.filter(({ isRequired }) => isRequired).map(({ name, values }) => [name, values[0] ?? '']))
  const varied = fields.filter(({ name }) => name !== 'cursor').flatMap(({ name, values }) => values.map(value => ({ [name]: value })))
  return [required, ...varied.map(query => ({ ...required, ...query }))]
}

/** Tables that each statement reads from end to end, by one index or none. */
function scansOf(db: Database, statements: readonly string[]): { readonly table: string; readonly sql: string }[] {
  const tables = new Set(db.prepare(`select name from sqlite_schema where type = 'table'`).pluck().all().map(String))
  return statements
    .filter(sql => /^\s*(select|with|insert|update|delete)/i.test(sql))
    .flatMap(given => {
      const sql = given.replaceAll(/\s+/g, ' ').trim()
      return planOf(db, given).flatMap(detail => {
        const [, name, index] = /^SCAN (\S+)(?: EXISTS)?(?: USING (?:COVERING )?INDEX (\S+))?$/.exec(detail) ?? []
        if (name === undefined || isPartial(db, index)) return []
        const table = tables.has(name)
          ? name
          : [...sql.matchAll(/(?:from|join) "?(\w+)"? (?:as )?"?(\w+)"?/g)].find(([, , as]) => as === name)?.[1]
        return table !== undefined && tables.has(table) ? [{ table, sql }] : []
      })
    })
}

/** An index of some rows only: of those that have not ended, or not yet expired. */
function isPartial(db: Database, index: string | undefined): boolean {
  const sql = index === undefined ? undefined : db.prepare('select sql from sqlite_schema where name = ?').pluck().get(index)
  return String(sql).includes(' where ')
}

/** How SQLite finds the rows; a plan does not depend on bound values. */
function planOf(db: Database, sql: string): string[] {
  const names = [...sql.matchAll(/\+(?:[@:$]|\?(?=\d))(\w+)/g)].map(([, name]) => [name, null])
  const values = names.length > 0 ? [Object.fromEntries(names)] : Array.from({ length: sql.split('+?').length - 1 }, () => null)
  return db
    .prepare(`explain query plan ${sql}`)
    .all(...values)
    .map(row => String(Object.values(Object(row)).at(-1)))
}

test('lists, starts and wake-ups read no table that grows from end to end', () => {
  const db = openDatabase(join(folder.path, 'assay.db'), { readonly: true })
  const found = scansOf(db, notes.read()).filter(({ table }) => !(table in smallTables))
  db.close()
  expect(found.filter(({ sql }) => !allowedScans.some(([statement]) => statement.test(sql)))).toEqual([])
  // An exception that is no longer needed would hide the next scan.
  expect(allowedScans.filter(([statement]) => !found.some(({ sql }) => statement.test(sql)))).toEqual([])
})

/** What the workspace has no example of, or asks somebody else. */
const unasked = ['getReceipt', 'getEnvironment', 'getPublicSuite', 'listTraceResources', 'getDatasetImport', 'exportTuneSession']

test('every other list was asked, in this thread and in others', () => {
  expect(lists.map(([id]) => id).filter(id => !answered.has(id))).toEqual(unasked)
  const statements = notes.read().join('\n')
  expect(statements).toContain('from samples s')
  expect(statements).toContain('from "jobs"')
})

test('a scan would be found, by an alias and by an index too', () => {
  const db = openDatabase(join(folder.path, 'assay.db'), { readonly: true })
  const scans = scansOf(db, [
    'select id from jobs where attempt = +?',
    'select "j"."id" from "jobs" as "j" where "j"."attempt" = +?2 or 1 = +?1',
    'select id from runs order by id',
    'select id from jobs where id = +?',
  ])
  db.close()
  expect(scans.map(({ table }) => table)).toEqual(['jobs', 'jobs', 'runs'])
})
