import { z } from 'zod'
import type { Database } from './database.ts'
import { readSetting, writeSetting } from './settings.ts'

/**
 * Tables whose rows are known by number outside of the database: in the list of begun calls, in threads that keep a run's dictionary, in
 * memory. SQLite gives the number of a removed last row to the next one, which would then be taken for the removed one.
 */
const numbered = ['runs', 'tasks', 'datasets'] as const
type Numbered = (typeof numbered)[number]

const setting = 'row_numbers'
const Used = z.partialRecord(z.enum(numbered), z.int())

/** Number of the next row of a table, which no row had before. In the transaction that inserts it. */
export function nextNumber(db: Database, table: Numbered): number {
  const used = Used.parse(readSetting(db, setting) ?? {})[table] ?? 0
  return Math.max(used, highest(db, table)) + 1
}

/** Before rows are removed for good. In the transaction that removes them. */
export function noteUsedNumbers(db: Database): void {
  writeSetting(db, setting, Object.fromEntries(numbered.map(table => [table, nextNumber(db, table) - 1])))
}

function highest(db: Database, table: Numbered): number {
  return Number(db.prepare(`select coalesce(max(no), 0) from ${table}`).pluck().get())
}
