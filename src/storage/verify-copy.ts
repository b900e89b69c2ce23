import { closeSync, constants, copyFileSync, fsyncSync, openSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/**
 * Examines every page of a copied database, after turning it into one file that needs no log beside it, and makes it durable.
 * @returns what is wrong with it, or null
 */
export function verifyCopy(path: string): string | null {
  return faultOf(() => {
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
  })
}

/** Copies a backup, which no one writes, and examines the copy. */
export function copyVerified(from: string, to: string): string | null {
  return faultOf(() => {
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
    return verifyCopy(to)
  })
}

function faultOf(look: () => string | null): string | null {
  try {
    return look()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
