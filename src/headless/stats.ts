import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkVector, parseVectors } from './vectors/statistics/vectors.ts'
import { complain, print } from './print.ts'

/**
 * `npm run stats -- --vectors FILE`: checks the statistics library against a vectors file.
 *
 * Prints a line per failing row, then `N passed, N failed`; what to know of rows that pass goes to standard error.
 * Exit code 1 when a row fails, 2 when the file cannot be used.
 */
function main(): number {
  const { values } = parseArgs({ options: { vectors: { type: 'string' } } })
  if (values.vectors === undefined) {
    complain('Give the file to check: npm run stats -- --vectors FILE')
    return 2
  }
  const rows = parseVectors(JSON.parse(readFileSync(values.vectors, 'utf8')))
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
  return failed === 0 ? 0 : 1
}

try {
  process.exitCode = main()
} catch (error) {
  complain(`The vectors could not be checked: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}
