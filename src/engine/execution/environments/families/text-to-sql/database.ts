import type { DatabaseSync } from 'node:sqlite'
import { type Shop, schema } from './shop.ts'
import { messageOf } from '../../../../../lib/message-of.ts'

export type QueryResult =
  | { readonly ok: true; readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number | null)[])[] }
  | { readonly ok: false; readonly problem: string }

export interface ShopDatabase {
  query(sql: string): QueryResult
}

const mostCharacters = 4_000
const mostRows = 200
/** Tables read at a time, counted with their repetitions: four of some thirty rows are at most a million combinations. */
const mostScans = 4
const mostSelects = 8
/** Bytes of one text that a query may make. */
const longestValue = 100_000

/** What a query may use. None of it is random, reads the clock or makes long texts, so that the same query has the same result everywhere. */
const functions = new Set(
  'abs avg coalesce count iif ifnull instr length like lower ltrim max min nullif round rtrim substr substring sum total trim upper'.split(
    ' ',
  ),
)

/** SQLite as it comes with Node; null where this build of Node has none that can be fenced in. */
function sqlite(): typeof import('node:sqlite') | null {
  const found = process.getBuiltinModule('node:sqlite')
  return found && typeof found.DatabaseSync.prototype.setAuthorizer === 'function' ? found : null
}

export function hasSqlite(): boolean {
  return sqlite() !== null
}

/**
 * A shop in memory that answers one reading query at a time. What a model writes is untrusted: SQLite asks before every step of a
 * query's preparation, and anything but reading these tables with plain functions is refused; so are recursion and joins of more
 * tables than `mostScans`, since nothing could stop a query once it runs.
 * @throws Error where this build of Node has no SQLite
 */
export function openShop(shop: Shop): ShopDatabase {
  const module = sqlite()
  if (!module) throw new Error('This build of Node lacks node:sqlite, which the text-to-SQL environment requires.')
  const db = new module.DatabaseSync(':memory:', { limits: { length: longestValue } })
  for (const statement of schema) db.exec(statement)
  for (const [table, rows] of Object.entries(shop)) {
    for (const row of rows) db.prepare(`insert into ${table} values (${row.map(() => '?').join(', ')})`).run(...row)
  }
  const guard = createGuard(module.constants)
  db.setAuthorizer(guard.judge)
  return { query: sql => runQuery(db, guard, sql) }
}

interface Guard {
  readonly judge: (action: number, first: string | null, second: string | null) => number
  /** Forgets the last query. */
  reset(): void
  refusal(): string | null
}

function createGuard(codes: typeof import('node:sqlite').constants): Guard {
  let selects = 0
  let refusal: string | null = null
  const refuse = (reason: string) => {
    refusal ??= reason
    return codes.SQLITE_DENY
  }
  return {
    reset: () => {
      selects = 0
      refusal = null
    },
    refusal: () => refusal,
    judge: (action, first, second) => {
      if (action === codes.SQLITE_SELECT) {
        selects++
        return selects > mostSelects ? refuse(`A query may have at most ${mostSelects} selects.`) : codes.SQLITE_OK
      }
      if (action === codes.SQLITE_READ) {
        return first?.toLowerCase().startsWith('sqlite_') ? refuse('Only the tables of the shop can be read.') : codes.SQLITE_OK
      }
      if (action === codes.SQLITE_FUNCTION) {
        return functions.has(second?.toLowerCase() ?? '') ? codes.SQLITE_OK : refuse(`The function ${second} is not available.`)
      }
      if (action === codes.SQLITE_RECURSIVE) return refuse('Recursive queries are not available.')
      return refuse('Only queries that read are allowed.')
    },
  }
}

function runQuery(db: DatabaseSync, guard: Guard, sql: string): QueryResult {
  if (sql.length > mostCharacters) return { ok: false, problem: `A query has at most ${mostCharacters} characters.` }
  guard.reset()
  try {
    const scans = db
      .prepare(`explain query plan ${sql}`)
      .all()
      .filter(({ detail }) => /^(?:SCAN|SEARCH)\b/.test(String(detail)))
    if (scans.length > mostScans) return { ok: false, problem: `A query may read at most ${mostScans} tables, counted with repetitions.` }
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => name)
    if (columns.length === 0) return { ok: false, problem: 'Only queries that read are allowed.' }
    const rows: (string | number | null)[][] = []
    for (const row of statement.iterate()) {
      // With arrays asked for, a row is its values in order; its type does not know that.
      const values: readonly unknown[] = Object.values(row)
      rows.push(values.map(plain))
      if (rows.length > mostRows) return { ok: false, problem: `The result has more than ${mostRows} rows.` }
    }
    return { ok: true, columns, rows }
  } catch (error) {
    return { ok: false, problem: guard.refusal() ?? messageOf(error) }
  }
}

/** Numbers to six digits after the point, so that the order of a sum does not matter. */
function plain(value: unknown): string | number | null {
  if (typeof value === 'number') return Math.round(value * 1e6) / 1e6
  return typeof value === 'string' ? value : null
}
