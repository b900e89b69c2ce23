import { openAsBlob, statSync } from 'node:fs'
import { describeFailure } from '../describe-failure.ts'
import { UsageError } from '../exit-codes.ts'

/** A file to send. @throws UsageError for what is not a readable file */
export async function blobOf(file: string): Promise<Blob> {
  try {
    // A blob of a folder or a pipe would fail while it is sent, where nothing can catch it.
    if (!statSync(file).isFile()) throw new UsageError(`${file} is not a file.`)
    return await openAsBlob(file)
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`The file cannot be read: ${describeFailure(error)}`)
  }
}
