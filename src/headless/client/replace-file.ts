import { randomUUID } from 'node:crypto'
import { createWriteStream, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { failureReason } from '../describe-failure.ts'
import { UsageError } from '../exit-codes.ts'

/** A file that somebody named for a result is not lost by a slip. @throws UsageError for an empty name, and for one that exists, unless `force` */
export function requireFree(target: string, force: boolean): void {
  if (target === '') throw new UsageError('The name of the file is empty. Name a file, or - for standard output.')
  if (!force && target !== '-' && statSync(target, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${target} exists. Name another file, or replace it with --force.`)
}

/**
 * Writes a file whole or not at all; what is not a regular file, such as a named pipe, is written into instead of replaced. The name of the
 * unfinished file can't be foreseen and must be free, so that no link planted there is followed.
 */
export async function replaceFile(content: Readable, target: string): Promise<void> {
  const present = statSync(target, { throwIfNoEntry: false })
  const isReplaced = present === undefined || present.isFile()
  const written = isReplaced ? `${target}.${randomUUID()}.partial` : target
  try {
    await pipeline(content, createWriteStream(written, isReplaced ? { flags: 'wx' } : {}))
    if (isReplaced) await rename(written, target)
  } catch (error) {
    if (isReplaced) await rm(written, { force: true })
    throw new Error(`${target} could not be written: ${failureReason(error)}`, { cause: error })
  }
}
