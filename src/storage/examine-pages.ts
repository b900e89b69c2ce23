import { openDatabase } from './database.ts'
import { isDamage } from './storage-fault.ts'
import { z } from 'zod'

/** Faults that are told; a damaged file has thousands. */
const most = 10

const References = z.array(z.object({ table: z.string(), rowid: z.int().nullable(), parent: z.string() }))

/**
 * Reads every page, index and reference of a database that may be in use meanwhile; answers what is wrong, nothing when it is sound.
 * @throws what kept it from being read, which says nothing about its content
 */
export function examinePages(path: string): string[] {
  try {
    const db = openDatabase(path, { readonly: true })
    try {
      const pages = db.prepare(`pragma integrity_check(${most})`).pluck().all().map(String)
      const faults = pages.filter(fault => fault !== 'ok')
      const references = References.parse(db.prepare('pragma foreign_key_check').all())
      return [
        ...faults,
        ...references.map(({ table, rowid, parent }) => `row ${rowid ?? '?'} of ${table} names what is missing in ${parent}`),
      ].slice(0, most)
    } finally {
      db.close()
    }
  } catch (error) {
    if (!isDamage(error)) throw error
    return [error.message]
  }
}
