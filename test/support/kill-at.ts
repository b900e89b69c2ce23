import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import Sqlite from 'better-sqlite3'

/**
 * Loaded before a program (`node --import`), ends it without a word just before its n-th step of a kind: `ASSAY_KILL_AT=statement:12`,
 * `swap:2` for the names that change when one database takes the place of another, or `review:2` for the outcome of a package's check
 * that is stored. A kill from outside would hit such a moment once in a thousand times.
 */
const [kind, number] = (process.env['ASSAY_KILL_AT'] ?? '').split(':')
let left = Number(number)

const count = (step: string) => {
  if (step === kind && --left === 0) process.kill(process.pid, 'SIGKILL')
}

const { prepare } = Sqlite.prototype
Sqlite.prototype.prepare = function counted(this: Sqlite.Database, ...args: Parameters<typeof prepare>) {
  count('statement')
  const statement = prepare.apply(this, args)
  if (!args[0].startsWith('insert into "creator_reviews"')) return statement
  const { run } = statement
  return Object.assign(statement, {
    run: (...values: unknown[]): unknown => {
      count('review')
      return Reflect.apply(run, statement, values)
    },
  })
} as typeof prepare // the same but for the counting; its overloads cannot be repeated

for (const name of ['renameSync', 'rmSync'] as const) {
  const original = fs[name]
  Object.assign(fs, {
    [name]: (...args: [string, never]) => {
      if (/assay\.db(?:\.restoring)?$|restore\.json$/.test(args[0]) && (name === 'renameSync' || fs.existsSync(args[0]))) count('swap')
      Reflect.apply(original, fs, args)
    },
  })
}
syncBuiltinESMExports()
