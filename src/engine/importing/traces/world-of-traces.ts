import { describeFirst } from '../../../contract/describe-issue.ts'
import type { LeftOut } from '../../../contract/worlds/play.schemas.ts'
import { ToolName } from '../../../contract/worlds/policies.schemas.ts'
import { type WorldDefinition, worldLimits, WorldTask, type WorldTool } from '../../../contract/worlds/worlds.schemas.ts'
import { isEqual } from '../../grading/worlds/json-values.ts'
import { type OfferedTool, offeredTools, type RecordedCall, type RecordedTask, recordedTask, type RecordedTrace } from './recorded-task.ts'
import { cannedResults, createResultCounter, rulesOf } from './canned-results.ts'
import { createPrivateReplacer } from './replace-private.ts'

export interface WorldOfTraces {
  readonly definition: WorldDefinition
  /** By task, what cannot be reproduced. */
  readonly notes: ReadonlyMap<string, readonly string[]>
  readonly replaced: { readonly secrets: number; readonly personal: number }
  /** By name, with the reason. */
  readonly leftOut: readonly LeftOut[]
}

/** Bytes of the tasks of a world with their results: what a request to create it may hold, less its tools. */
const mostBytes = 7 * 1024 * 1024

type Recorded = { readonly id: string; readonly task: RecordedTask; readonly notes: string[] }

/**
 * One world of several traces: each trace is a task, its tools answer what was recorded, its calls and answer are expected. A result that
 * is the same in every task is shared; where tasks differ, an entry belongs to its task.
 * What a world cannot hold is left out by name.
 * @throws RangeError where nothing is left, with the reason of the first trace
 */
export function worldOfTraces(title: string, traces: readonly RecordedTrace[]): WorldOfTraces {
  const { replace, counts } = createPrivateReplacer()
  const leftOut: LeftOut[] = []
  const admit = createAdmission()
  const kept: RecordedTrace[] = []
  const recorded = traces.flatMap((trace): Recorded[] => {
    const task = replace(recordedTask(trace))
    const reason = admit(trace.id, task)
    if (reason !== null) {
      leftOut.push({ id: trace.id, name: replace(trace.name), reason })
      return []
    }
    kept.push(trace)
    return [{ id: trace.id, task, notes: [...task.notes, ...timeNotes(trace, task), ...orderNotes(task)] }]
  })
  if (recorded.length === 0) throw new RangeError(`The trace ${leftOut[0]?.id} ${leftOut[0]?.reason}`)
  const offered = new Map(kept.flatMap(offeredTools).map(tool => [tool.name, replace(tool)] as const))
  const called = new Set(recorded.flatMap(({ task }) => task.calls.map(({ name }) => name)))
  const uncalled = [...offered.keys()].filter(name => !called.has(name))
  const usable = uncalled.filter(name => ToolName.safeParse(name).success).slice(0, worldLimits.tools - called.size)
  for (const name of uncalled.filter(each => !usable.includes(each)))
    leftOut.push({ id: null, name, reason: `is a tool that was offered and never called; ${toolRules}` })
  const names = [...called, ...usable]
  const systems = new Set(recorded.map(({ task }) => task.system))
  const [shared = null] = systems.size === 1 ? systems : []
  const longest = Math.max(...recorded.map(({ task }) => task.calls.length + task.users.length))
  return {
    definition: {
      title,
      description: `Made of ${kept.length} ${kept.length === 1 ? 'trace' : 'traces'}.`,
      ...(shared !== null && { instructions: shared }),
      tools: names.map(name => toolOf(name, offered.get(name), recorded)),
      limits: {
        turns: Math.min(worldLimits.turns, Math.max(12, longest + 4)),
        max_output_tokens: 2048,
        observation_bytes: Math.min(1_000_000, Math.max(16_000, ...recorded.map(({ task }) => resultBytes(task)))),
      },
      tasks: recorded.map(({ id, task }) => taskOf(id, task, shared === null ? task.system : null)),
    },
    notes: new Map(recorded.map(({ id, notes }) => [id, notes])),
    replaced: counts(),
    leftOut,
  }
}

const toolRules = `a world has at most ${worldLimits.tools} tools, whose names hold letters, digits, "_" and "-"`

/** Decides trace by trace what a world can hold beside what it holds already. @returns a function that gives the reason of a refusal */
function createAdmission(): (id: string, task: RecordedTask) => string | null {
  const tools = new Set<string>()
  const results = createResultCounter()
  let bytes = 0
  return (id, task) => {
    if (task.users.length === 0) return 'holds no message of a user. Choose one whose model calls were recorded with their messages.'
    const strange = task.calls.find(({ name }) => !ToolName.safeParse(name).success)
    if (strange) return `calls a tool with a name that no world may have: "${strange.name.slice(0, 80)}".`
    const parsed = WorldTask.safeParse(taskOf(id, task, task.system))
    if (!parsed.success) return `cannot become a task: ${describeFirst(parsed.error.issues, 'it')}.`
    const wanted = new Set([...tools, ...task.calls.map(({ name }) => name)])
    if (wanted.size > worldLimits.tools) return `calls further tools, and ${toolRules}.`
    const size = Buffer.byteLength(JSON.stringify(parsed.data)) + resultBytes(task)
    if (bytes + size > mostBytes) return `is too large beside the others: a world holds ${mostBytes / 1024 / 1024} MB of recordings.`
    const full = results.add(task.calls)
    if (full !== null) return `has further results of ${full}; a tool holds at most ${worldLimits.results}.`
    bytes += size
    for (const name of wanted) tools.add(name)
    return null
  }
}

function resultBytes({ calls }: RecordedTask): number {
  return calls.reduce((sum, { result }) => sum + Buffer.byteLength(result ?? ''), 0)
}

function taskOf(id: string, { users, calls, answer }: RecordedTask, system: string | null): WorldTask {
  const [first = '', ...later] = users
  return {
    id,
    messages: [...(system === null ? [] : [{ role: 'system' as const, content: system }]), { role: 'user', content: first }],
    user: later.length === 0 ? { kind: 'none' } : { kind: 'scripted', turns: later },
    initial_state: {},
    expected: {
      ...(calls.length > 0 && { calls: { subset: distinctCalls(calls) } }),
      ...(answer !== null && { answer: { scorer: 'assay/f1', options: {}, targets: [answer], at_least: 0.5 } }),
      ...(calls.length === 0 && answer === null && { calls: { exact: [] } }),
    },
    reference: { calls: calls.map(({ name, arguments: given }) => ({ name, arguments: { ...given } })), answer: answer ?? '' },
  }
}

/** Each call once: a subset asks for as many calls as it names. */
function distinctCalls(calls: readonly RecordedCall[]) {
  return calls
    .filter((call, i) => calls.findIndex(other => isSameCall(call, other)) === i)
    .slice(0, worldLimits.expectedCalls)
    .map(({ name, arguments: given }) => ({ name, arguments: rulesOf(given) }))
}

function isSameCall(a: RecordedCall, b: RecordedCall): boolean {
  return a.name === b.name && isEqual(a.arguments, b.arguments)
}

function toolOf(name: string, offered: OfferedTool | undefined, recorded: readonly Recorded[]): WorldTool {
  const calls = recorded.flatMap(({ task }) => task.calls.filter(call => call.name === name))
  return {
    name,
    description: offered?.description ?? '',
    parameters: { ...(offered?.parameters ?? inferredSchema(calls)) },
    behavior: {
      kind: 'canned',
      results: cannedResults(
        name,
        recorded.map(({ id, task }) => ({ id, calls: task.calls })),
      ),
    },
  }
}

/** A schema that takes every recorded call. */
function inferredSchema(calls: readonly RecordedCall[]): Record<string, unknown> {
  const names = [...new Set(calls.flatMap(call => Object.keys(call.arguments)))]
  const typeOf = (value: unknown) =>
    value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
  const properties = names.map(name => {
    const types = [...new Set(calls.flatMap(call => (Object.hasOwn(call.arguments, name) ? [typeOf(call.arguments[name])] : [])))]
    return [name, { type: types.length === 1 ? types[0] : types }] as const
  })
  const required = names.filter(name => calls.every(call => Object.hasOwn(call.arguments, name)))
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}

/** Repeated calls with different results: a model that calls in another order gets other results. */
function orderNotes({ calls }: RecordedTask): string[] {
  const differing = calls.filter((call, i) => calls.slice(0, i).some(other => isSameCall(call, other) && other.result !== call.result))
  return [...new Set(differing.map(({ name }) => name))].map(
    name => `Order: ${name} answered the same call differently; its results are given in the recorded order.`,
  )
}

const isoDate = /\b(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}/g

/** Times of the recording in arguments: a model that is asked on another day sends others. */
function timeNotes({ started_at: startedAt }: RecordedTrace, { calls }: RecordedTask): string[] {
  const day = Date.parse(startedAt)
  const close = calls.filter(call =>
    [...JSON.stringify(call.arguments).matchAll(isoDate)].some(([, date = '']) => Math.abs(Date.parse(date) - day) < 2 * 86_400_000),
  )
  return [...new Set(close.map(({ name }) => name))].map(
    name => `Time: ${name} was called with the time of the recording; let the rule of that argument take any value.`,
  )
}
