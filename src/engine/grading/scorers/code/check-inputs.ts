import { command, type Reply } from '../../sandbox/converse.ts'
import { fromJson, toPython } from '../../sandbox/encoded-value.ts'
import { lackedByJavaScript } from '../../sandbox/javascript-modules.ts'
import { type LoadedProgram, loadMessage } from '../../sandbox/load-message.ts'
import type { SandboxProcess } from '../../sandbox/sandbox-process.ts'
import type { Room } from '../../sandbox/sandbox.ts'
import type { Language } from '../../sandbox/tier.ts'
import type { PyValue } from '../python/values.ts'
import { isRight } from './oracles.ts'
import { seconds } from './run-tests.ts'
import { limitFor, longestLimit } from './time-limit.ts'
import { type CodeOutcome, missingModule } from './verdict.ts'

/** What the reference returns for one input here, and how long it takes. */
interface Expected {
  readonly value: PyValue
  readonly ms: number
}

/** The reference's answers by input; a task without them gets no verdict. */
export type Expectations = { readonly kind: 'known'; readonly answers: readonly Expected[] } | Exclude<CodeOutcome, { kind: 'passed' }>

export async function askReference(
  room: Room,
  source: string,
  entryPoint: string,
  inputs: readonly (readonly unknown[])[],
): Promise<Expectations> {
  const process = await loaded(room, { source }, entryPoint, longestLimit)
  if ('kind' in process) return unusable(process)
  const answers: Expected[] = []
  let left = longestLimit
  for (const args of inputs) {
    const started = performance.now()
    const reply = await command(process, { op: 'call', target: entryPoint, args: args.map(fromJson) }, left)
    const ms = performance.now() - started
    left = Math.max(1, left - ms)
    const value = reply.kind === 'value' ? toPython(reply.value) : null
    if (reply.kind !== 'value') return unusable(reply)
    if (!value) return { kind: 'no_verdict', detail: 'The task’s reference returns an object that cannot be compared.' }
    answers.push({ value, ms })
  }
  return { kind: 'known', answers }
}

/** How many inputs were right from the first on, and what became of the one that was not. */
export interface InputsOutcome {
  readonly right: number
  readonly outcome: CodeOutcome
}

/** Calls the candidate with each input until one is wrong. evalplus's tolerance, once a float has set it, stays for the inputs after. */
export async function checkInputs(
  room: Room,
  program: LoadedProgram,
  entryPoint: string,
  inputs: readonly (readonly unknown[])[],
  answers: readonly Expected[],
  atol: number,
): Promise<InputsOutcome> {
  const limits = answers.map(({ ms }) => limitFor(ms))
  const process = await loaded(room, program, entryPoint, limitFor(0))
  const stopped = (reply: Stop, limit: number, call: string | null) => outcomeOf(reply, limit, call, program, room.tier.language)
  if ('kind' in process) return { right: 0, outcome: stopped(process, limitFor(0), null) }
  let left =
    Math.min(
      longestLimit,
      limits.reduce((sum, limit) => sum + limit, 0),
    ) + 1000
  let tolerance = atol
  for (const [i, args] of inputs.entries()) {
    const expected = answers[i]
    if (!expected) break
    const limit = Math.min(left, limits[i] ?? left)
    const started = performance.now()
    const reply = await command(process, { op: 'call', target: entryPoint, args: args.map(fromJson) }, limit)
    left = Math.max(1, left - (performance.now() - started))
    const call = `${entryPoint}, on input ${i + 1} of ${inputs.length},`
    if (reply.kind !== 'value') return { right: i, outcome: stopped(reply, limit, call) }
    const value = toPython(reply.value)
    if (!value) return { right: i, outcome: { kind: 'failed', detail: `${call} returns an object that equals nothing.` } }
    const check = isRight(entryPoint, toPython({ t: 'list', v: args.map(fromJson) }), value, expected.value, tolerance, room.tier.language)
    tolerance = check.tolerance
    if (!check.isEqual) return { right: i, outcome: { kind: 'failed', detail: `${call} returns a wrong value.` } }
  }
  return {
    right: inputs.length,
    outcome: { kind: 'passed', detail: `All ${inputs.length} inputs give the right value. ${timeGiven(limits)}` },
  }
}

/** For who asks why another machine found otherwise. */
function timeGiven(limits: readonly number[]): string {
  const most = Math.max(limitFor(0), ...limits)
  if (most === limitFor(0)) return `Each call had ${seconds(most)}.`
  return `Each call had ${seconds(limitFor(0))} to ${seconds(most)}: four times what the reference takes on this machine.`
}

type Stop = Exclude<Reply, { kind: 'value' }>

async function loaded(room: Room, program: LoadedProgram, entry: string, limitMs: number): Promise<SandboxProcess | Stop> {
  const process = room.candidate()
  const reply = await command(process, loadMessage(program, entry), limitMs)
  return reply.kind === 'value' ? process : reply
}

function outcomeOf(reply: Stop, limit: number, call: string | null, { source }: LoadedProgram, language: Language): CodeOutcome {
  const where = call ?? 'Loading the code'
  if (reply.kind === 'timeout') return { kind: 'timeout', detail: `${where} did not end within ${seconds(limit)}.` }
  if (reply.kind === 'ended') return { kind: 'failed', detail: `${where} ended the process: ${reply.detail}` }
  const lacked = language === 'python' ? (reply.module ?? null) : lackedByJavaScript(source, reply)
  if (lacked !== null) return missingModule(lacked, language)
  return { kind: 'failed', detail: `${where} raised ${reply.type}: ${reply.message}` }
}

function unusable(reply: Stop): Exclude<CodeOutcome, { kind: 'passed' }> {
  if (reply.kind === 'timeout')
    return { kind: 'too_slow', detail: `Not even the task’s reference ends within ${seconds(longestLimit)} on this machine.` }
  return {
    kind: 'no_verdict',
    detail: `The task’s reference fails: ${reply.kind === 'raised' ? `${reply.type}: ${reply.message}` : reply.detail}`,
  }
}
