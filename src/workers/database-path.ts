import { workerData } from 'node:worker_threads'
import { z } from 'zod'

const Data = z.object({ databasePath: z.string() })

/** The database that this thread's pool was made for. */
export function databasePath(): string {
  return Data.parse(workerData).databasePath
}
