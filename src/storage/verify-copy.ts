import { closeSync, fsyncSync, openSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/**
 * Examines every page of a copied database, after turning it into one file that needs no log beside it, and makes it durable.
 * @returns what is wrong with it, or null
 */
export function verifyCopy(path: string): string | null {
  try {
    const copy = new Sqlite(path, { fileMustExist: true })
    try {
      copy.pragma('journal_mode = DELETE')
      const verdict = copy.pragma('integrity_check(1)', { simple: true })
      if (verdict !== 'ok') return String(verdict)
    } finally {
      copy.close()
    }
    const file = openSync(path, 'r+')
    fsyncSync(file)
    closeSync(file)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
