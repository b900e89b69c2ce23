import { mkdirSync } from 'node:fs'
import { failureReason } from './describe-failure.ts'
import { UsageError } from './exit-codes.ts'

/** A folder that somebody named, with those above it. @throws UsageError where it cannot be one, such as a file */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw new UsageError(`The folder ${path} could not be made: ${failureReason(error)}. Name another folder.`)
  }
}
