import { checkVector, parseVectors } from './vectors/statistics/vectors.ts'
import { type ExitCode, exitCodes, UsageError } from './exit-codes.ts'
import { mostData, readNamedFile } from './read-named-file.ts'
import { complain, print } from './print.ts'
import { messageOf } from '../lib/message-of.ts'

/**
 * `assay stats --vectors FILE`: checks the statistics library against a vectors file.
 *
 * Prints a line per failing row, then `N passed, N failed`; what to know of rows that pass goes to standard error.
 * Exit code 1 when a row fails, 2 when the file cannot be used.
 */
export function stats(vectors: string): ExitCode {
  try {
    return check(vectors)
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`The vectors could not be checked: ${messageOf(error)}`)
  }
}

function check(file: string): ExitCode {
  const rows = parseVectors(JSON.parse(readNamedFile(file, { mostBytes: mostData }).toString()))
  const notes = new Set<string>()
  let failed = 0
  for (const [i, row] of rows.entries()) {
    const { problem, note } = checkVector(row)
    if (note !== null) notes.add(note)
    if (problem === null) continue
    failed++
    print(`row ${i + 1}, ${row.fn}: ${problem}`)
  }
  for (const note of notes) complain(`Note: ${note}`)
  print(`${rows.length - failed} passed, ${failed} failed`)
  return failed === 0 ? exitCodes.passed : exitCodes.error
}
