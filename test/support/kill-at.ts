import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/**
 * Loaded before a program (`node --import`), ends it without a word just before its n-th step of a kind: `ASSAY_KILL_AT=statement:12`,
 * `swap:2` for the names that change when one database takes the place of another, `review:2` for the outcome of a package's check
 * that is stored, `task:2` and `example:2` for a row of an import, `draft:1` for a draft of an environment, `slice:2` for pages that a
 * compaction returns, `media:2` for the steps that store a picture, `naming:1` for the name of a copy that was verified, and `copying:1`
 * within the copying of a database. A kill from outside would hit such a moment once in a thousand times.
 */
const [kind, number] = (process.env['ASSAY_KILL_AT'] ?? '').split(':')
let left = Number(number)

const count = (step: string) => {
  if (step === kind && --left === 0) process.kill(process.pid, 'SIGKILL')
}

/** What writes a row of a kind. */
const rowOf = new Map([
  ['review', 'insert into "creator_reviews"'],
  ['task', 'insert into tasks '],
  ['example', 'insert into dataset_revisions '],
  ['draft', 'update "world_drafts" '],
]).get(kind ?? '')

const { prepare, pragma } = Sqlite.prototype
Sqlite.prototype.pragma = function counted(this: Sqlite.Database, ...args: Parameters<typeof pragma>): unknown {
  if (args[0].startsWith('incremental_vacuum')) count('slice')
  return pragma.apply(this, args)
}
Sqlite.prototype.prepare = function counted(this: Sqlite.Database, ...args: Parameters<typeof prepare>) {
  count('statement')
  if (/^\s*insert into media/.test(args[0])) count('media')
  const statement = prepare.apply(this, args)
  if (kind === 'copying' && args[0].startsWith('vacuum into')) return killWithin(statement)
  if (rowOf === undefined || !args[0].startsWith(rowOf)) return statement
  const { run } = statement
  return Object.assign(statement, {
    run: (...values: unknown[]): unknown => {
      count(kind ?? '')
      return Reflect.apply(run, statement, values)
    },
  })
} as typeof prepare // the same but for the counting; its overloads cannot be repeated

/** Ends the process once the copy has its first bytes. */
function killWithin(copying: Sqlite.Statement): Sqlite.Statement {
  const run = copying.run.bind(copying)
  const ready = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const kill = ([path]: unknown[]): never => {
    const code = `
      const { statSync } = require('node:fs')
      const { ready, path } = require('node:worker_threads').workerData
      Atomics.store(ready, 0, 1)
      Atomics.notify(ready, 0)
      while (!statSync(path, { throwIfNoEntry: false })?.size);
      process.kill(process.pid, 'SIGKILL')`
    new Worker(code, { eval: true, workerData: { ready, path } })
    Atomics.wait(ready, 0, 0)
    run(path)
    // A copy that was faster than the kill is waited for here.
    for (;;) Atomics.wait(ready, 0, 1)
  }
  return Object.assign(copying, { run: (...values: unknown[]) => kill(values) })
}

for (const name of ['renameSync', 'rmSync'] as const) {
  const original = fs[name]
  Object.assign(fs, {
    [name]: (...args: [string, never]) => {
      if (/assay\.db(?:\.restoring)?$|restore\.json$/.test(args[0]) && (name === 'renameSync' || fs.existsSync(args[0]))) count('swap')
      if (name === 'renameSync' && args[0].endsWith('.db.partial')) count('naming')
      Reflect.apply(original, fs, args)
    },
  })
}
/** Of a picture: before its piece is there, when that is written and not flushed, before it has its name, and after. */
const { open, rename } = promises
const isPiece = (path: unknown) => /[\\/]media[\\/]writing[\\/]/.test(String(path))
Object.assign(promises, {
  open: async (...args: Parameters<typeof open>) => {
    if (!isPiece(args[0])) return open(...args)
    count('media')
    const file = await open(...args)
    const datasync = file.datasync.bind(file)
    return Object.assign(file, {
      datasync: async () => {
        count('media')
        await datasync()
      },
    })
  },
  rename: async (...args: Parameters<typeof rename>) => {
    if (isPiece(args[0])) count('media')
    await rename(...args)
    if (isPiece(args[0])) count('media')
  },
})
syncBuiltinESMExports()
