import { z } from 'zod'
import { command, type Reply } from './converse.ts'
import { type LoadedProgram, loadMessage } from './load-message.ts'
import type { Room } from './sandbox.ts'
import { jsonIn } from '../../../lib/json-value.ts'

/** Test code of a task, to be run against a candidate that lives in another process. */
export interface TestSuite {
  /** Run before the tests in their process, e.g. the helpers that a prompt defines. */
  readonly prelude: string
  /** Run one after the other; a failed assertion ends them. */
  readonly tests: readonly string[]
  /** The name under test. */
  readonly entry: string
  /** Further names that the tests use; those that the candidate defines, and nothing else does, are the candidate's too. */
  readonly names: readonly string[]
}

/** How a candidate did. `seconds` is what it was computing itself, the tests' own time left out. */
export type CheckOutcome = {
  readonly seconds: number
  readonly detail: string
  /**
   * `tests_broke`: the tests neither passed nor failed after they were given what the code returned. `not_checked`: the same before
   * they were given anything, so that it cannot be the code's doing. `missing_module`: they failed after the code used a module that
   * the sandbox lacks, which is then the detail.
   */
  readonly kind: 'passed' | 'failed' | 'timeout' | 'crashed' | 'tests_broke' | 'not_checked' | 'missing_module'
}

const Said = z.union([
  z.object({ ask: z.record(z.string(), z.unknown()) }),
  z.object({ verdict: z.object({ passed: z.boolean(), tests: z.number(), kind: z.string(), message: z.string() }) }),
])

const Known = z.array(z.string())

/** Milliseconds that the tests themselves may take between two calls. */
const checkerMs = 30_000

/**
 * Loads a program in a fresh process and runs the tests in another. The tests call stand-ins; what they send is passed to the candidate
 * and what it answers is passed back, so the verdict is made where the candidate never was.
 */
export async function checkWithTests(room: Room, program: LoadedProgram, suite: TestSuite, limitMs: number): Promise<CheckOutcome> {
  const candidate = room.candidate()
  const checker = room.checker()
  await candidate.ready
  let spent = 0
  const timed = async (message: unknown): Promise<Reply> => {
    const started = performance.now()
    const reply = await command(candidate, message, Math.max(1, limitMs - spent))
    spent += performance.now() - started
    return reply
  }
  const end = (kind: CheckOutcome['kind'], detail: string): CheckOutcome => ({ kind, detail, seconds: spent / 1000 })

  const loaded = await timed(loadMessage(program, suite.entry))
  if (loaded.kind !== 'value') return end(...unfinished(loaded))
  const wanted = [...new Set([suite.entry, ...suite.names])]
  const known = await timed({ op: 'lookup', names: wanted })
  if (known.kind !== 'value') return end(...unfinished(known))
  const names = (Known.safeParse(known.value).data ?? []).filter(name => wanted.includes(name))
  let answered = false
  let missing: string | null = null
  let message: unknown = { prelude: suite.prelude, entry: suite.entry, names, tests: suite.tests }
  for (;;) {
    const answer = await checker.ask(message, checkerMs)
    const said = answer.kind === 'line' ? Said.safeParse(jsonIn(answer.text)) : null
    if (!said?.success) {
      const detail = answer.kind === 'timeout' ? 'The task’s own tests did not end.' : 'The task’s own tests broke off.'
      return end(answered ? 'tests_broke' : 'not_checked', detail)
    }
    if ('verdict' in said.data) {
      const { passed, message: why } = said.data.verdict
      if (passed) return end('passed', 'All tests pass.')
      return missing === null ? end('failed', why) : end('missing_module', missing)
    }
    const reply = await timed(said.data.ask)
    if (reply.kind === 'timeout' || reply.kind === 'ended') {
      return end(...unfinished(reply))
    }
    answered = true
    if (reply.kind === 'raised') missing ??= reply.module ?? null
    message = reply.kind === 'value' ? { value: reply.value } : { error: { type: reply.type, message: reply.message } }
  }
}

function unfinished(reply: Exclude<Reply, { kind: 'value' }>): [CheckOutcome['kind'], string] {
  if (reply.kind === 'timeout') return ['timeout', 'The code did not end in time.']
  if (reply.kind === 'ended') return ['crashed', `The code’s process ended: ${reply.detail}`]
  if (reply.module !== undefined) return ['missing_module', reply.module]
  return ['failed', `${reply.type}: ${reply.message}`]
}
