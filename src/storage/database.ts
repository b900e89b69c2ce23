import { closeSync, constants, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Compilable, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { LRUCache } from 'lru-cache'
import { isBusy, lockWaitMs, untilFree } from './busy.ts'
import type { CommitCount } from './commit-file.ts'
import type { Tables } from './schema/tables.ts'
import { describingFaults } from './storage-fault.ts'
import { withStablePlan } from './stable-plans.ts'
import { createWriteTurns } from './write-turns.ts'

/** Older SQLite can corrupt a WAL database that two connections write or checkpoint (sqlite.org/wal.html, "WAL-reset bug"). */
const oldestSafeSqlite = [3, 51, 3] as const

/** Two MiB: a few milliseconds of the loop's time. */
const pagesPerStep = 512
/** Pages of the log at which a write moves them into the database; a connection that has a second writer beside it leaves it to that one. */
const usualCheckpoint = 1000
const lateCheckpoint = 4000

/** Statements that are kept prepared, the least recently used of them making way. */
const mostStatements = 500

export type Statement = Sqlite.Statement<unknown[], unknown>

/**
 * One connection. Queries are built with Kysely and run at once: better-sqlite3 is synchronous, so a transaction is a plain
 * function and nothing from another request can slip into it (decisions/0005-synchronous-storage.md).
 */
export interface Database {
  readonly path: string
  /** Builds queries; runs none. */
  readonly sql: Kysely<Tables>
  all<Row>(query: Compilable<Row>): Row[]
  first<Row>(query: Compilable<Row>): Row | undefined
  /** Rows one by one, for reads that must not be held in memory. The connection is busy until the iteration ends. */
  iterate<Row>(query: Compilable<Row>): IterableIterator<Row>
  run(query: Compilable<unknown>): { readonly changes: number; readonly lastInsertRowid: number }
  /** A statement for hot paths; prepared once per text. */
  prepare(sql: string): Statement
  /** Runs `work` in one immediate transaction; inside another one it joins it. Throwing rolls everything back. */
  transaction<Result>(work: () => Result): Result
  /**
   * Runs `work` once the transaction that is open has been committed, never when it is rolled back; at once outside of one. It must not
   * throw: what was committed stays so.
   */
  afterCommit(work: () => void): void
  /**
   * From here on a transaction that changed something counts itself, and `note` is told once it is committed (decisions/0032).
   * @param now milliseconds since 1970
   */
  countCommits(now: () => number, note: (count: CommitCount) => void): void
  /** Runs `work` without waiting for another program that holds the database: then it throws SQLITE_BUSY at once. */
  withoutWaiting<Result>(work: () => Result): Result
  /** Whether a write would wait for another program now. */
  isHeld(): boolean
  pragma(source: string): unknown
  /** Shared word by which a second connection of this process takes turns with this one in writing. */
  readonly turns: SharedArrayBuffer
  /** Whether a second connection writes too: then that one moves the log into the database, which takes a while. */
  shareWriting(isShared: boolean): void
  /**
   * Copies the database, as it is at the beginning of the copying, a few pages at a time between other work; writes continue meanwhile.
   * `onProgress` is told the fraction that is copied; throwing in it ends the copying.
   */
  copyTo(path: string, onProgress: (fraction: number) => void): Promise<void>
  close(): void
}

export interface OpenOptions {
  /** A second connection for heavy reads in a worker. */
  readonly readonly?: boolean
  /** Of the first connection, for a second one that writes too, and lets the first go first. */
  readonly turns?: SharedArrayBuffer
  /** Milliseconds that opening waits for another program; later uses wait as long as usual. */
  readonly waitMs?: number
}

/** @throws StorageError, as every use of the connection does: it names the file and what to do where storage is to blame */ export function openDatabase(
  path: string,
  options: OpenOptions = {},
): Database {
  const readonly = options.readonly ?? false
  // Where a connection of this process is open already, closing the file would take its locks away (sqlite.org/howtocorrupt.html, 2.2):
  // the next program that closes the database would think itself the last one and delete the log.
  if (!readonly && !options.turns) makePrivateFile(path)
  return describingFaults(path, () => {
    const sqlite = new Sqlite(path, { readonly, fileMustExist: readonly })
    try {
      assertSafeSqlite(sqlite)
      applySettings(sqlite, readonly, options.waitMs ?? lockWaitMs)
    } catch (error) {
      sqlite.close()
      throw error
    }
    sqlite.pragma(`busy_timeout = ${lockWaitMs}`)
    return wrap(sqlite, path, options.turns)
  })
}

/**
 * The file for its owner alone, before anything is in it; SQLite gives its log and index the same mode.
 * @throws Error for a symbolic link: who could place one would choose what is written to
 */
export function makePrivateFile(path: string): void {
  if (path === ':memory:') return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${path} is a symbolic link, which is not followed. Put the file itself in its place.`)
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600)
  try {
    if (process.platform !== 'win32' && (fstatSync(file).mode & 0o077) !== 0) fchmodSync(file, 0o600)
  } finally {
    closeSync(file)
  }
}

function assertSafeSqlite(sqlite: Sqlite.Database): void {
  const version = String(sqlite.prepare('select sqlite_version()').pluck().get())
  const parts = version.split('.').map(Number)
  const difference = oldestSafeSqlite.map((oldest, i) => (parts[i] ?? 0) - oldest).find(d => d !== 0) ?? 0
  if (difference < 0) throw new Error(`SQLite ${version} is too old to be safe here; ${oldestSafeSqlite.join('.')} or newer is needed.`)
}

/** Why each: hardening, section 4.1. */
function applySettings(sqlite: Sqlite.Database, readonly: boolean, waitMs: number): void {
  sqlite.pragma(`busy_timeout = ${waitMs}`)
  sqlite.pragma('trusted_schema = OFF')
  sqlite.pragma('cell_size_check = ON')
  // Mapped pages count as this process's memory for as long as the file does not grow, and a disk that fails under one ends the process.
  sqlite.pragma('mmap_size = 0')
  // better-sqlite3's own default is 16 MB; what was read before is still in the system's cache.
  sqlite.pragma('cache_size = -4000')
  if (readonly) return
  // Lets space be given back a little at a time. Decided when a database is made; saying it again would write to it.
  if (sqlite.pragma('page_count', { simple: true }) === 0) sqlite.pragma('auto_vacuum = INCREMENTAL')
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('checkpoint_fullfsync = ON')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('recursive_triggers = ON')
  sqlite.pragma(`wal_autocheckpoint = ${usualCheckpoint}`)
  sqlite.pragma('journal_size_limit = 67108864')
}

function wrap(sqlite: Sqlite.Database, path: string, shared?: SharedArrayBuffer): Database {
  const turns = createWriteTurns(shared)
  // Texts of queries are finite, but for lists of values and combinations of filters; those make way before what is used all the time.
  const statements = new LRUCache<string, Statement>({ max: mostStatements })
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known) return known
    const statement = describing(() => sqlite.prepare<unknown[], unknown>(withStablePlan(sql)))
    if (!statement.readonly) takeTurns(statement)
    describeFaultsOf(statement)
    statements.set(sql, statement)
    return statement
  }
  const describing = <Result>(use: () => Result): Result => describingFaults(path, use)
  const describeFaultsOf = (statement: Statement) => {
    const [run, get, all] = [statement.run.bind(statement), statement.get.bind(statement), statement.all.bind(statement)]
    statement.run = (...values) => describing(() => run(...values))
    statement.get = (...values) => describing(() => get(...values))
    statement.all = (...values) => describing(() => all(...values))
  }
  /** A transaction has its turn already. */
  const takeTurns = (statement: Statement) => {
    const run = statement.run.bind(statement)
    statement.run = (...values) => (sqlite.inTransaction ? run(...values) : inTurn(() => run(...values)))
  }
  /** Waits for the commit of the transaction that is open. */
  let waiting: (() => void)[] = []
  let isPatient = true
  let counting: { readonly now: () => number; readonly note: (count: CommitCount) => void } | null = null
  const changes = () => Number(prepare('select total_changes()').pluck().get())
  /** The count of the transaction that is open, with what it is to do; null where that changes nothing. */
  const counted = <Result>(work: () => Result): { readonly result: Result; readonly count: CommitCount | null } => {
    if (!counting) return { result: work(), count: null }
    const before = changes()
    const result = work()
    if (changes() === before) return { result, count: null }
    const at = counting.now()
    const commits = Number(prepare('update commits set commits = commits + 1, at = ? returning commits').pluck().get(at))
    return { result, count: { commits, at } }
  }
  const withoutWaiting = <Result>(work: () => Result): Result => {
    if (!isPatient) return work()
    isPatient = false
    sqlite.pragma('busy_timeout = 0')
    try {
      return work()
    } finally {
      sqlite.pragma(`busy_timeout = ${lockWaitMs}`)
      isPatient = true
    }
  }
  /** While another program holds the database, the turn is given back: the connection that goes first must not wait for that program. */
  const inTurn = <Result>(write: () => Result): Result =>
    shared ? untilFree(() => withoutWaiting(() => turns.inTurn(write))) : turns.inTurn(write)
  const sql = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: db => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  return {
    path,
    sql,
    // The row type is Kysely's, inferred from the query that is run here; SQLite answers in that shape.
    all: <Row>(query: Compilable<Row>) => {
      const compiled = query.compile()
      return prepare(compiled.sql).all(...compiled.parameters) as Row[]
    },
    first: <Row>(query: Compilable<Row>) => {
      const compiled = query.compile()
      return prepare(compiled.sql).get(...compiled.parameters) as Row | undefined
    },
    iterate: <Row>(query: Compilable<Row>) => {
      const compiled = query.compile()
      // Prepared separately: a cached statement would be busy until this iteration ends.
      return sqlite.prepare<unknown[], Row>(withStablePlan(compiled.sql)).iterate(...compiled.parameters)
    },
    run: query => {
      const compiled = query.compile()
      const { changes, lastInsertRowid } = prepare(compiled.sql).run(...compiled.parameters)
      return { changes, lastInsertRowid: Number(lastInsertRowid) }
    },
    prepare,
    transaction: work => {
      if (sqlite.inTransaction) return work()
      waiting = []
      const { result, count } = describing(() => inTurn(() => sqlite.transaction(() => counted(work)).immediate()))
      if (count) counting?.note(count)
      const committed = waiting
      for (const next of committed) next()
      return result
    },
    afterCommit: work => {
      if (sqlite.inTransaction) waiting.push(work)
      else work()
    },
    countCommits: (now, note) => {
      counting = { now, note }
    },
    withoutWaiting,
    isHeld: () => {
      if (sqlite.inTransaction) return false
      try {
        withoutWaiting(() =>
          turns.inTurn(() => {
            sqlite.exec('begin immediate')
            sqlite.exec('rollback')
          }),
        )
        return false
      } catch (error) {
        // Of any other fault the write itself speaks.
        return isBusy(error)
      }
    },
    pragma: source => describing(() => sqlite.pragma(source)),
    turns: turns.shared,
    shareWriting: isShared => sqlite.pragma(`wal_autocheckpoint = ${isShared ? lateCheckpoint : usualCheckpoint}`),
    copyTo: async (target, onProgress) => {
      makePrivateFile(target)
      // A copy begins again whenever another connection writes, unless its own connection reads one state of the database throughout.
      const source = new Sqlite(path, { readonly: true })
      try {
        source.exec('begin; select count(*) from sqlite_schema')
        await source.backup(target, {
          progress: ({ totalPages, remainingPages }) => {
            onProgress(totalPages === 0 ? 0 : 1 - remainingPages / totalPages)
            return pagesPerStep
          },
        })
      } finally {
        source.close()
      }
    },
    close: () => {
      statements.clear()
      sqlite.close()
    },
  }
}
