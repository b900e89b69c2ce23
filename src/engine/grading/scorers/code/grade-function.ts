import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Language } from '../../sandbox/tier.ts'
import type { ScoreInput } from '../scorer.ts'
import { askReference, checkInputs, type Expectations } from './check-inputs.ts'
import { FunctionTask } from './function-task.ts'
import { javascriptProgramOf } from './javascript-program.ts'
import { type Extraction, type Program, programOf, referenceProgram } from './program.ts'
import { runTests } from './run-tests.ts'
import type { CodeOutcome } from './verdict.ts'

/** What became of a reply by a task's base tests and by all its tests. */
export interface FunctionOutcome {
  readonly code: string | null
  readonly base: CodeOutcome
  readonly plus: CodeOutcome
}

const graded: Readonly<Record<Extraction, WeakMap<ScoreInput, Promise<FunctionOutcome>>>> = {
  answer: new WeakMap(),
  evalplus: new WeakMap(),
}

/** Two scorers ask for the same reply; it is run once. */
export function gradeFunction(input: ScoreInput, sandbox: Sandbox, extraction: Extraction): Promise<FunctionOutcome> {
  const known = graded[extraction].get(input)
  if (known) return known
  const outcome = grade(input, sandbox, extraction)
  graded[extraction].set(input, outcome)
  return outcome
}

async function grade({ output, metadata }: ScoreInput, sandbox: Sandbox, extraction: Extraction): Promise<FunctionOutcome> {
  const parsed = FunctionTask.safeParse(metadata)
  if (!parsed.success) return both(null, { kind: 'no_verdict', detail: 'The task holds no tests for a function.' })
  const task = parsed.data
  const { language } = sandbox.tier
  if (language === 'javascript' && (task.test !== undefined || task.test_list !== undefined))
    return both(null, { kind: 'no_verdict', detail: 'The task has test code, and in JavaScript only tests by inputs can be run.' })
  const program =
    language === 'python'
      ? programOf(output, task.prompt, task.entry_point, extraction)
      : javascriptProgramOf(output, task.prompt, task.entry_point)
  const { code } = program
  if (code.trim() === '') return both(null, { kind: 'failed', detail: 'The reply holds no code.' })
  const base = await baseTests(sandbox, program, task)
  if (!task.base_input && !task.plus_input) return both(code, base)
  if (base.kind !== 'passed') return both(code, base)
  const inputs = await gradeInputs(sandbox, program, task)
  return { code, ...inputs }
}

/** Test code, where the task has any; tasks with inputs alone pass this step. */
async function baseTests(sandbox: Sandbox, program: Program, task: FunctionTask): Promise<CodeOutcome> {
  const { test, test_list: list, entry_point: name, prompt } = task
  if (test === undefined && list === undefined) return { kind: 'passed', detail: '' }
  const reference = referenceOf(task, sandbox.tier.language)
  if (test !== undefined)
    return runTests(sandbox, program, { prelude: prompt, entry: name, names: [], tests: [`${test}\ncheck(${name})`] }, reference)
  const tests = list ?? []
  return runTests(sandbox, program, { prelude: (task.test_imports ?? []).join('\n'), entry: name, names: namesIn(tests), tests }, reference)
}

/** The reference's values, asked once for each task while the process lives. */
const expectations = new Map<string, Promise<Expectations>>()
const mostKept = 2000

async function gradeInputs(sandbox: Sandbox, program: Program, task: FunctionTask): Promise<{ base: CodeOutcome; plus: CodeOutcome }> {
  const reference = referenceOf(task, sandbox.tier.language)
  if (reference === null)
    return same({ kind: 'no_verdict', detail: 'The task has inputs and no reference that could tell the right values.' })
  const name = task.entry_point
  const base = task.base_input ?? []
  const inputs = [...base, ...(task.plus_input ?? [])]
  const key = JSON.stringify([sandbox.tier.language, reference, name, inputs])
  const asked = expectations.get(key) ?? sandbox.use(room => askReference(room, reference, name, inputs))
  if (expectations.size >= mostKept) expectations.clear()
  expectations.set(key, asked)
  // A lost sandbox says nothing about the reference: the next sample asks it again.
  asked.catch(() => expectations.delete(key))
  const expected = await asked
  if (expected.kind !== 'known') return same(expected)
  const { right, outcome } = await sandbox.use(room => checkInputs(room, program, name, inputs, expected.answers, task.atol ?? 0))
  const passed: CodeOutcome = { kind: 'passed', detail: `All ${base.length} base inputs give the right value.` }
  return { base: right >= base.length ? passed : outcome, plus: outcome }
}

/** A solution that repeats the signature is complete; any other is appended to the prompt. */
function referenceOf(task: FunctionTask, language: Language): string | null {
  const { canonical_solution: solution } = task
  if (solution === undefined) return null
  const { prompt, entry_point: name } = task
  return language === 'python' ? referenceProgram(solution, prompt, name) : javascriptProgramOf(solution, prompt, name).source
}

function namesIn(tests: readonly string[]): string[] {
  return [...new Set(tests.join('\n').match(/[A-Za-z_]\w*/g))]
}

function both(code: string | null, outcome: CodeOutcome): FunctionOutcome {
  return { code, base: outcome, plus: outcome }
}

function same(outcome: CodeOutcome): { base: CodeOutcome; plus: CodeOutcome } {
  return { base: outcome, plus: outcome }
}
