import { z } from 'zod'
import type { Database } from './database.ts'
import { noteUsedNumbers } from './row-numbers.ts'

const Named = z.array(z.object({ name: z.string() }))
const Columns = z.array(z.object({ name: z.string(), pk: z.int() }))
const References = z.array(z.object({ seq: z.int(), table: z.string(), from: z.string(), to: z.string().nullable() }))
const Triggers = z.array(z.object({ name: z.string(), sql: z.string() }))
const Ids = z.array(z.string())

/** What names rows of others without a foreign key: by their `id`. */
const byId = { transitions: 'resource_id', judge_calls: 'owner_id' } as const
/** Search indexes of tables, and how a row of the table is numbered there. */
const indexes = [
  { table: 'traces', index: 'trace_search', number: 'no' },
  { table: 'spans', index: 'span_search', number: '(trace_no << 32) + no' },
  { table: 'dataset_examples', index: 'dataset_search', number: 'no' },
] as const

/**
 * Removes a workspace with every row that belongs to it, as the schema's foreign keys tell, records that are kept otherwise included.
 * Answers the ids of what is gone, by which files are named. One transaction; nothing may be at work in the workspace.
 */
export function removeWorkspace(db: Database, workspaceId: string): string[] {
  return db.transaction(() => {
    noteUsedNumbers(db)
    db.pragma('defer_foreign_keys = on')
    const guards = Triggers.parse(
      db.prepare(`select name, sql from sqlite_schema where type = 'trigger' and sql like '% before delete on %'`).all(),
    )
    for (const { name } of guards) db.prepare(`drop trigger ${name}`).run()
    const ids = removeRows(db, workspaceId)
    for (const { sql } of guards) db.prepare(sql).run()
    return ids
  })
}

function removeRows(db: Database, workspaceId: string): string[] {
  const owned = ownedTables(db)
  const bound = { workspace: workspaceId }
  const ids = [...owned].flatMap(([table, { columns, where }]) =>
    columns.includes('id') ? Ids.parse(db.prepare(`select cast(id as text) from ${table} where ${where}`).pluck().all(bound)) : [],
  )
  for (const [table, column] of Object.entries(byId))
    db.prepare(`delete from ${table} where ${column} in (select value from json_each(?))`).run(JSON.stringify(ids))
  for (const { table, index, number } of indexes)
    db.prepare(`delete from ${index} where rowid in (select ${number} from ${table} where ${owned.get(table)?.where})`).run(bound)
  // Those that are found through others first, while the others are there.
  for (const [table, { where }] of [...owned].toReversed()) db.prepare(`delete from ${table} where ${where}`).run(bound)
  return ids
}

interface Owned {
  readonly columns: readonly string[]
  /** Which of its rows are the workspace's. */
  readonly where: string
}

/** Tables with rows of workspaces, each after those through which its rows are found. */
function ownedTables(db: Database): ReadonlyMap<string, Owned> {
  const columnsOf = (table: string) => Columns.parse(db.pragma(`table_info(${table})`))
  const names = Named.parse(db.prepare(`select name from sqlite_schema where type = 'table' and sql like 'create table%'`).all())
  const tables = names.map(({ name }) => ({ name, columns: columnsOf(name).map(column => column.name) }))
  const owned = new Map<string, Owned>([['workspaces', { columns: ['id'], where: 'id = @workspace' }]])
  for (const { name, columns } of tables)
    if (columns.includes('workspace_id')) owned.set(name, { columns, where: 'workspace_id = @workspace' })
  const keyOf = (table: string) => columnsOf(table).find(({ pk }) => pk === 1)?.name
  for (let before = 0; before < owned.size; ) {
    before = owned.size
    for (const { name, columns } of tables) {
      if (owned.has(name)) continue
      const parents = References.parse(db.pragma(`foreign_key_list(${name})`)).filter(({ seq, table }) => seq === 0 && owned.has(table))
      const ways = parents.map(
        ({ table, from, to }) => `${from} in (select ${to ?? keyOf(table)} from ${table} where ${owned.get(table)?.where})`,
      )
      if (ways.length > 0) owned.set(name, { columns, where: ways.join(' or ') })
    }
  }
  return owned
}
