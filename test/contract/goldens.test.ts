import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { api } from '../../src/contract/api.ts'
import type { Machine } from '../../src/contract/machine.ts'
import { openApiDocument } from '../../src/service/http/openapi.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/migrations.ts'
import { appVersion } from '../../src/service/version.ts'
import { jsonByField } from '../support/json-by-field.ts'

function isMachine(value: unknown): value is Machine {
  return typeof value === 'object' && value !== null && 'events' in value && 'initial' in value
}

/** The contract's state machines by their names, from every file named for one. */
async function stateMachines(): Promise<[string, Machine][]> {
  const folder = join(import.meta.dirname, '../../src/contract')
  const modules: object[] = await Promise.all(globSync('**/*.machine.ts', { cwd: folder }).map(path => import(join(folder, path))))
  const machines = modules.flatMap(module => Object.entries<unknown>({ ...module }))
  return machines
    .flatMap(([name, value]) => (isMachine(value) ? [[name, value] as [string, Machine]] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Changes of interface, states or schema show as text in the diff of these files; `npm run test:unit -- -u` writes them. */
describe('goldens', () => {
  test('the OpenAPI document', async () => {
    await expect(`${jsonByField(openApiDocument(api))}\n`).toMatchFileSnapshot('golden/openapi.json')
  })

  test('the state machines', async () => {
    const machines = await stateMachines()
    expect(machines.length).toBeGreaterThan(3)
    const text = machines
      .map(([name, machine]) => {
        const moves = Object.entries(machine.events).map(([event, { from, to }]) => `  ${event}: ${from.join(' | ')} → ${to}`)
        return `${name} (${machine.states.join(', ')}; begins ${machine.initial}; ends ${machine.terminal.join(', ')})\n${moves.join('\n')}\n`
      })
      .join('\n')
    await expect(text).toMatchFileSnapshot('golden/machines.txt')
  })

  test('every state of a machine can be reached, and terminal ones lead to terminal ones alone, but for a retry', async () => {
    for (const [, { states, initial, terminal, events }] of await stateMachines()) {
      const reached = new Set([initial])
      for (let before = -1; before !== reached.size; ) {
        before = reached.size
        for (const { from, to } of Object.values(events)) if (from.some(state => reached.has(state))) reached.add(to)
      }
      expect([...reached].sort()).toEqual([...states].sort())
      for (const [event, { from, to }] of Object.entries(events))
        if (event !== 'retry' && from.some(state => terminal.includes(state))) expect(terminal).toContain(to)
    }
  })

  test('the schema that the migrations make', async () => {
    const db = openDatabase(':memory:')
    migrate(db, new Date(0))
    const rows = db.prepare(`select sql from sqlite_master where sql is not null order by name`).all() as { sql: string }[] // the column is text by definition
    await expect(`${rows.map(row => row.sql.replaceAll(/\s+/g, ' ')).join('\n')}\n`).toMatchFileSnapshot('golden/schema.sql')
    db.close()
  })

  test('released migrations, which are never edited', async () => {
    const hashes = migrations.map(({ name, sql }) => `${name} ${createHash('sha256').update(sql).digest('hex')}`)
    await expect(`${hashes.join('\n')}\n`).toMatchFileSnapshot('golden/migrations.txt')
  })

  test('the version is the package’s', () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(manifest).toHaveProperty('version', appVersion)
  })
})
