import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { type Database, openDatabase } from '../storage/database.ts'

const Data = z.object({ databasePath: z.string() })

/** The database that this thread's pool was made for. */
export function databasePath(): string {
  return Data.parse(workerData).databasePath
}

/**
 * A read-only connection for a thread, to be closed by it. Its pages are read, not mapped: a thread reads a whole run, and what was mapped
 * would stay in the process's memory, up to 256 MB for each thread.
 */
export function openReader(): Database {
  const db = openDatabase(databasePath(), { readonly: true })
  db.pragma('mmap_size = 0')
  return db
}
