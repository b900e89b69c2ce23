import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { type Database, openDatabase } from '../storage/database.ts'

const Data = z.object({ databasePath: z.string() })

/** The database that this thread's pool was made for. */
export function databasePath(): string {
  return Data.parse(workerData).databasePath
}

/** A read-only connection for a thread, to be closed by it. */
export function openReader(): Database {
  return openDatabase(databasePath(), { readonly: true })
}
