import { z } from 'zod'
import { command, type Reply } from '../../sandbox/converse.ts'
import { strictMessage } from '../../sandbox/load-message.ts'
import { fromPython, toPython } from '../../sandbox/encoded-value.ts'
import type { Room } from '../../sandbox/sandbox.ts'
import { compareReturned, compareStdout } from '../livecodebench/compare.ts'
import { extractCode } from '../livecodebench/extract.ts'
import { parseJsonLiteral } from '../python/literal.ts'
import type { CodeScorer } from './code-scorer.ts'
import { seconds } from './run-tests.ts'
import { type CodeOutcome, missingModule, scoreOf } from './verdict.ts'

/** LiveCodeBench's limit for one test. */
const testLimit = 6_000

/** What a contest problem holds: each test either standard input and output, or arguments a line each in JSON and the returned value. */
const ContestTask = z.object({
  test_type: z.enum(['stdin', 'functional']),
  /** The method that functional tests call, of `Solution` where the code defines that class. */
  fn_name: z.string().optional(),
  tests: z.array(z.object({ input: z.string(), output: z.string() })).min(1),
})
type ContestTask = z.infer<typeof ContestTask>

/** What LiveCodeBench runs before code of both kinds. */
const imports = `${'string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json builtins typing'
  .split(' ')
  .map(name => `from ${name} import *\n`)
  .join(
    '',
  )}import string, re, datetime, collections, heapq, bisect, copy, math, random, statistics, itertools, functools, operator, io, sys, json
sys.setrecursionlimit(50000)
`

export const livecodebenchAllTests: CodeScorer = {
  id: 'livecodebench/all_tests',
  version: 3,
  title: 'LiveCodeBench, all tests',
  description:
    'Runs the code between the last two fences of a reply in the sandbox against every test, six seconds each, and stops at the first failure. Output is compared as LiveCodeBench does.',
  options: z.strictObject({}),
  language: () => 'python',
  grade: async (input, _, sandbox) => {
    const task = ContestTask.safeParse(input.metadata)
    if (!task.success) return scoreOf({ kind: 'no_verdict', detail: 'The task holds no tests.' }, input.output, null)
    const code = extractCode(input.output)
    if (code.trim() === '') return scoreOf({ kind: 'failed', detail: 'The reply holds no code between two fences.' }, input.output, null)
    return scoreOf(await sandbox.use(room => runAll(room, code, task.data)), input.output, code)
  },
}

async function runAll(room: Room, code: string, task: ContestTask): Promise<CodeOutcome> {
  const candidate = room.candidate()
  const isFunctional = task.test_type === 'functional'
  if (isFunctional) {
    const loaded = await command(candidate, strictMessage('load', code, imports), testLimit)
    if (loaded.kind !== 'value') return stopped(loaded, 'Loading the code')
  }
  let target: string | null = null
  for (const [i, test] of task.tests.entries()) {
    const name = `Test ${i + 1} of ${task.tests.length}`
    if (isFunctional) {
      target ??= await targetOf(candidate, task.fn_name ?? '')
      const args = test.input
        .split('\n')
        .filter(line => line.trim() !== '')
        .map(parseJsonLiteral)
      const expected = parseJsonLiteral(test.output)
      if (expected === null || args.includes(null)) return { kind: 'no_verdict', detail: `${name} is not JSON.` }
      const reply = await command(candidate, { op: 'call', target, args: args.map(value => value && fromPython(value)) }, testLimit)
      if (reply.kind !== 'value') return stopped(reply, name)
      const value = toPython(reply.value)
      if (!value || !compareReturned(value, expected))
        return { kind: 'failed', detail: `${name}: the returned value is not the expected one.` }
    } else {
      const reply = await command(candidate, { ...strictMessage('run', code, imports), stdin: test.input }, testLimit)
      if (reply.kind !== 'value') return stopped(reply, name)
      const ran = Ran.safeParse(reply.value)
      if (!ran.success) return { kind: 'failed', detail: `${name}: the program sent no output.` }
      if (ran.data.error) return stopped({ kind: 'raised', ...ran.data.error }, name)
      const difference = compareStdout(ran.data.stdout, test.output)
      if (difference)
        return {
          kind: 'failed',
          detail:
            difference.kind === 'line'
              ? `${name}: line ${difference.line} differs.`
              : `${name}: ${difference.actual} lines where ${difference.expected} are expected.`,
        }
    }
  }
  return { kind: 'passed', detail: `All ${task.tests.length} tests pass.` }
}

const Raised = z.object({ type: z.string(), message: z.string(), module: z.string().optional() })
const Ran = z.object({ stdout: z.string(), cut: z.boolean(), error: Raised.nullable() })
const Found = z.array(z.string())

/** `Solution().name`, with a new instance for each call as in LiveCodeBench, or a function of that name. */
async function targetOf(candidate: Parameters<typeof command>[0], name: string): Promise<string> {
  const found = await command(candidate, { op: 'lookup', names: ['Solution'] }, testLimit)
  const known = found.kind === 'value' ? Found.safeParse(found.value).data : undefined
  return known?.includes('Solution') ? `Solution..${name}` : name
}

function stopped(reply: Exclude<Reply, { kind: 'value' }>, where: string): CodeOutcome {
  if (reply.kind === 'timeout') return { kind: 'timeout', detail: `${where} did not end within ${seconds(testLimit)}.` }
  if (reply.kind === 'raised' && reply.module !== undefined) return missingModule(reply.module)
  return { kind: 'failed', detail: `${where}: ${reply.kind === 'raised' ? `${reply.type}: ${reply.message}` : reply.detail}` }
}
