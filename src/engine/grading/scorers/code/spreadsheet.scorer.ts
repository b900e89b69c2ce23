import { z } from 'zod'
import { command } from '../../sandbox/converse.ts'
import { fromPython, toPython } from '../../sandbox/encoded-value.ts'
import { strictMessage } from '../../sandbox/load-message.ts'
import type { Room, Sandbox } from '../../sandbox/sandbox.ts'
import { extractCode } from '../livecodebench/extract.ts'
import { parsePythonLiteral } from '../python/literal.ts'
import { NONE, type PyValue } from '../python/values.ts'
import type { ScoreInput } from '../scorer.ts'
import { sameCell } from '../spreadsheetbench/cell-compare.ts'
import { softAndHard } from '../spreadsheetbench/cell-range.ts'
import { graded } from '../verdict.ts'
import type { CodeScorer } from './code-scorer.ts'
import { seconds } from './run-tests.ts'
import { type CodeOutcome, missingModule, scoreOf } from './verdict.ts'

const caseLimit = 10_000

/** Cells by sheet and address, each value as a Python literal, so that whole numbers, dates and times keep their type. */
const Sheets = z.record(z.string(), z.record(z.string(), z.string()))

const SpreadsheetTask = z.object({
  cases: z
    .array(
      z.object({
        input: Sheets,
        /** The cells that are compared with what they must hold. */
        answer: Sheets,
      }),
    )
    .min(1),
})

/** The function that a reply must define: it is given `{sheet: {address: value}}` and gives the same back, changed. */
const entryPoint = 'edit'

interface CasesOutcome {
  readonly code: string
  /** By case: 1 or 0. */
  readonly passed: readonly number[]
  readonly detail: string
}

const options = z.strictObject({})

export const spreadsheetHard: CodeScorer = {
  id: 'spreadsheetbench/hard',
  version: 2,
  title: 'SpreadsheetBench, every case',
  description:
    'Runs the function "edit" of a reply in the sandbox on each of the task’s workbooks and compares the answer cells as SpreadsheetBench does. Right only when every workbook is.',
  options,
  language: () => 'python',
  grade: (input, _, sandbox) => grade(input, sandbox, 'hard'),
}

export const spreadsheetSoft: CodeScorer = {
  id: 'spreadsheetbench/soft',
  version: 2,
  title: 'SpreadsheetBench, share of cases',
  description: 'As "every case", with the share of workbooks that came out right as the score.',
  options,
  language: () => 'python',
  grade: (input, _, sandbox) => grade(input, sandbox, 'soft'),
}

const known = new WeakMap<ScoreInput, Promise<CasesOutcome | CodeOutcome>>()

async function grade(input: ScoreInput, sandbox: Sandbox, kind: 'hard' | 'soft') {
  const pending = known.get(input) ?? runCases(input, sandbox)
  known.set(input, pending)
  const outcome = await pending
  if ('kind' in outcome) return scoreOf(outcome, input.output, null)
  return graded(softAndHard(outcome.passed)[kind], { answer: outcome.code, explanation: outcome.detail })
}

async function runCases({ output, metadata }: ScoreInput, sandbox: Sandbox): Promise<CasesOutcome | CodeOutcome> {
  const task = SpreadsheetTask.safeParse(metadata)
  if (!task.success) return { kind: 'no_verdict', detail: 'The task holds no workbooks.' }
  const code = extractCode(output) || (output.includes(`def ${entryPoint}`) ? output : '')
  if (code.trim() === '') return { kind: 'failed', detail: `The reply holds no code that defines "${entryPoint}".` }
  return sandbox.use(async room => {
    const passed: number[] = []
    const notes: string[] = []
    for (const [i, one] of task.data.cases.entries()) {
      const fault = await runCase(room, code, one)
      if (typeof fault === 'object' && fault !== null) return fault
      passed.push(fault === null ? 1 : 0)
      if (fault !== null) notes.push(`Workbook ${i + 1}: ${fault}`)
    }
    const right = passed.filter(value => value === 1).length
    return { code, passed, detail: [`${right} of ${passed.length} workbooks are right.`, ...notes].join(' ') }
  })
}

async function runCase(
  room: Room,
  code: string,
  { input, answer }: z.infer<typeof SpreadsheetTask>['cases'][number],
): Promise<string | CodeOutcome | null> {
  const candidate = room.candidate()
  const loaded = await command(candidate, strictMessage('load', code, ''), caseLimit)
  const reply =
    loaded.kind === 'value' ? await command(candidate, { op: 'call', target: entryPoint, args: [encoded(input)] }, caseLimit) : loaded
  if (reply.kind === 'timeout') return `the code did not end within ${seconds(caseLimit)}.`
  if (reply.kind === 'ended') return `the code’s process ended: ${reply.detail}`
  if (reply.kind === 'raised' && reply.module !== undefined) return missingModule(reply.module)
  if (reply.kind === 'raised') return `${reply.type}: ${reply.message}`
  return compareSheets(toPython(reply.value), answer)
}

/** The first cell that differs; null when all hold what they must. */
export function compareSheets(result: PyValue | null, answer: Readonly<Record<string, Readonly<Record<string, string>>>>): string | null {
  if (result?.type !== 'dict') return `"${entryPoint}" must return the sheets as a dict.`
  for (const [sheet, cells] of Object.entries(answer)) {
    const changed = entryOf(result, sheet)
    if (changed?.type !== 'dict') return `the sheet "${sheet}" is missing.`
    for (const [address, literal] of Object.entries(cells)) {
      const expected = parsePythonLiteral(literal)
      if (!expected) return `the task’s own value of ${sheet}!${address} cannot be read.`
      if (!sameCell(entryOf(changed, address) ?? NONE, expected)) return `${sheet}!${address} does not hold what it should.`
    }
  }
  return null
}

function entryOf(dict: Extract<PyValue, { type: 'dict' }>, key: string): PyValue | null {
  return dict.entries.find(([name]) => name.type === 'str' && name.value === key)?.[1] ?? null
}

function encoded(sheets: z.infer<typeof Sheets>): unknown {
  const cells = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([address, literal]) => [address, fromPython(parsePythonLiteral(literal) ?? NONE)])
  return { t: 'dict', v: Object.entries(sheets).map(([name, of]) => [name, { t: 'dict', v: cells(of) }]) }
}
