import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openSandboxes } from '../engine/grading/sandbox/open-sandbox.ts'
import type { Sandboxes } from '../engine/grading/sandbox/sandbox.ts'
import { findSandboxFiles } from '../engine/grading/sandbox/sandbox-files.ts'
import { RowGrader } from '../engine/grading/scorers/row-grader.ts'
import { checkVectors } from './vectors/scorers/check.ts'
import { complain, print } from './print.ts'

/**
 * `npm run score -- FILE.jsonl` grades rows `{scorer, options, output, target, choices?, metadata?}` and prints one line of JSON
 * `{value, answer, class, explanation}` for each. Scorers that run code do so in the sandbox, with the task's tests in `metadata`. A row that cannot be graded is named by its line on standard error; the others are graded.
 * `npm run score -- --vectors FILE` checks the scorers against a vectors file, a line per failing row, then `N passed, N failed`.
 * Exit code 1 when a row is bad or fails, 2 when the file cannot be used.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { vectors: { type: 'string' } }, allowPositionals: true })
  const [file] = positionals
  if (values.vectors !== undefined && positionals.length === 0) return check(values.vectors)
  if (values.vectors === undefined && file !== undefined && positionals.length === 1) return grade(file)
  complain('Give one file: npm run score -- FILE.jsonl, or npm run score -- --vectors FILE')
  return 2
}

async function grade(file: string): Promise<number> {
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

async function gradeLines(file: string, grader: RowGrader): Promise<number> {
  let bad = 0
  for (const [i, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      const { value, answer, class: outcome, explanation } = await grader.grade(line)
      print(JSON.stringify({ value, answer, class: outcome, explanation }))
    } catch (error) {
      bad++
      complain(`Line ${i + 1} was not graded: ${messageOf(error)}`)
    }
  }
  return bad === 0 ? 0 : 1
}

function check(file: string): number {
  const { passed, failures } = checkVectors(JSON.parse(readFileSync(file, 'utf8')))
  for (const { row, scorer, reason } of failures) print(`row ${row}, ${scorer}: ${reason}`)
  print(`${passed} passed, ${failures.length} failed`)
  return failures.length === 0 ? 0 : 1
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

try {
  process.exitCode = await main()
} catch (error) {
  complain(`The file could not be graded: ${messageOf(error)}`)
  process.exitCode = 2
}
