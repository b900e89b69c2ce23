import { parentPort, workerData } from 'node:worker_threads'
import { joinCommitFile } from '../storage/commit-file.ts'
import { openDatabase } from '../storage/database.ts'
import { createRunWriter } from '../storage/runs/run-writer.store.ts'
import type { WriteDone, WriteRequest, WriterData } from './run-writer.ts'

// As `run-writer.ts` gives it.
const { databasePath, turns } = workerData as WriterData
const port = parentPort
if (!port) throw new Error('This module is the entry of a thread.')

const db = openDatabase(databasePath, { turns })
const commits = joinCommitFile(databasePath)
if (commits) db.countCommits(Date.now, commits.note)
const writer = createRunWriter(db)

port.on('message', (request: WriteRequest | 'close') => {
  if (request === 'close') {
    db.close()
    commits?.close()
    port.close()
    return
  }
  port.postMessage(answer(request))
})

function answer({ id, method, args }: WriteRequest): WriteDone {
  try {
    // One method and its own arguments, which the compiler can't see through the union.
    const call = writer[method] as (...given: readonly unknown[]) => unknown
    return { id, value: call(...args) }
  } catch (error) {
    const { message, stack, code } = error as Error & { readonly code?: string } // nothing else is thrown here
    return { id, error: { message, stack, code } }
  }
}
