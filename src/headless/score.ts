import { openSandboxes } from '../engine/grading/sandbox/open-sandbox.ts'
import type { Sandboxes } from '../engine/grading/sandbox/sandbox.ts'
import { findSandboxFiles } from '../engine/grading/sandbox/sandbox-files.ts'
import { RowGrader } from '../engine/grading/scorers/row-grader.ts'
import { checkVectors } from './vectors/scorers/check.ts'
import { type ExitCode, exitCodes, UsageError } from './exit-codes.ts'
import { mostData, readNamedFile } from './read-named-file.ts'
import { complain, print } from './print.ts'
import { messageOf } from '../lib/message-of.ts'

/**
 * `assay score FILE.jsonl` grades rows `{scorer, options, output, target, choices?, metadata?}` and prints one line of JSON
 * `{value, answer, class, explanation}` for each. Scorers that run code do so in the sandbox, with the task's tests in `metadata`. A row that cannot be graded is named by its line on standard error; the others are graded.
 * `assay score --vectors FILE` checks the scorers against a vectors file, a line per failing row, then `N passed, N failed`.
 * Exit code 1 when a row is bad or fails, 2 when the file cannot be used.
 */
export async function score(file: string | undefined, vectors: string | undefined): Promise<ExitCode> {
  if ((file === undefined) === (vectors === undefined))
    throw new UsageError('Give one file: assay score FILE.jsonl, or assay score --vectors FILE')
  try {
    return vectors === undefined ? await grade(file ?? '') : check(vectors)
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`The file could not be graded: ${messageOf(error)}`)
  }
}

async function grade(file: string): Promise<ExitCode> {
  const opened: Sandboxes[] = []
  const grader = new RowGrader(async () => {
    const [already] = opened
    if (already) return already
    const { report, sandboxes } = await openSandboxes(findSandboxFiles(null))
    for (const { title, available, reason } of report.tiers) if (!available) complain(`${title}: ${reason}`)
    opened.push(sandboxes)
    return sandboxes
  })
  try {
    return await gradeLines(file, grader)
  } finally {
    for (const { python, javascript } of opened) await Promise.all([python?.close(), javascript?.close()])
  }
}

async function gradeLines(file: string, grader: RowGrader): Promise<ExitCode> {
  let bad = 0
  for (const [i, line] of readNamedFile(file, { mostBytes: mostData }).toString().split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      const { value, answer, class: outcome, explanation } = await grader.grade(line)
      print(JSON.stringify({ value, answer, class: outcome, explanation }))
    } catch (error) {
      bad++
      complain(`Line ${i + 1} was not graded: ${messageOf(error)}`)
    }
  }
  return bad === 0 ? exitCodes.passed : exitCodes.error
}

function check(file: string): ExitCode {
  const { passed, failures } = checkVectors(JSON.parse(readNamedFile(file, { mostBytes: mostData }).toString()))
  for (const { row, scorer, reason } of failures) print(`row ${row}, ${scorer}: ${reason}`)
  print(`${passed} passed, ${failures.length} failed`)
  return failures.length === 0 ? exitCodes.passed : exitCodes.error
}
