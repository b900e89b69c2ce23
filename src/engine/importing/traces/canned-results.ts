import { worldLimits, type WorldTool } from '../../../contract/worlds/worlds.schemas.ts'
import { isDeeperThan, mostLevels } from '../../grading/worlds/json-values.ts'
import type { RecordedCall } from './recorded-task.ts'

type Entry = Extract<WorldTool['behavior'], { kind: 'canned' }>['results'][number]

/** The tool calls of one task. */
export interface RecordedCalls {
  readonly id: string
  readonly calls: readonly RecordedCall[]
}

/** What a tool answered, first come first: repeated calls give their results in the order in which they were recorded. */
export function cannedResults(name: string, recorded: readonly RecordedCalls[]): Entry[] {
  const keys = new Map<string, { readonly given: RecordedCall['arguments']; readonly byTask: Map<string, RecordedCall[]> }>()
  for (const { id, calls } of recorded)
    for (const call of calls) {
      if (call.name !== name || call.result === null) continue
      const key = stableKey(call.arguments)
      const known = keys.get(key) ?? { given: call.arguments, byTask: new Map<string, RecordedCall[]>() }
      keys.set(key, known)
      known.byTask.set(id, [...(known.byTask.get(id) ?? []), call])
    }
  const entries = [...keys.values()].flatMap(({ given, byTask }) => {
    const sequences = [...byTask].map(([id, calls]) => ({ id, entries: sequenceOf(given, calls) }))
    const [first] = sequences
    const isAlike = sequences.every(({ entries }) => JSON.stringify(entries) === JSON.stringify(first?.entries))
    if (isAlike) return first?.entries ?? []
    return sequences.flatMap(({ id, entries: own }) => own.map(entry => ({ ...entry, tasks: [id] })))
  })
  return entries.slice(0, worldLimits.results)
}

/** What a new task adds to the entries of its tools, as `cannedResults` makes them. */
export function createResultCounter() {
  type Known = { readonly first: string; readonly length: number; sum: number; alike: boolean }
  const tools = new Map<string, { total: number; readonly keys: Map<string, Known> }>()
  const entriesOf = ({ alike, length, sum }: Known) => (alike ? length : sum)
  return {
    /** Counts the calls of a task. @returns the tool that would have more entries than a world may hold, in which case nothing is counted */
    add(calls: readonly RecordedCall[]): string | null {
      const given = calls.filter(({ result }) => result !== null)
      const changes = [...Map.groupBy(given, ({ name }) => name)].map(([name, own]) => {
        const tool = tools.get(name) ?? { total: 0, keys: new Map<string, Known>() }
        const next = [...Map.groupBy(own, call => stableKey(call.arguments))].map(([key, same]) => {
          const sequence = sequenceOf(same[0]?.arguments ?? {}, same)
          const text = JSON.stringify(sequence)
          const before = tool.keys.get(key)
          const length = sequence.length
          return [
            key,
            before
              ? { ...before, sum: before.sum + length, alike: before.alike && before.first === text }
              : { first: text, length, sum: length, alike: true },
            before ? entriesOf(before) : 0,
          ] as const
        })
        const total = next.reduce((sum, [, after, before]) => sum + entriesOf(after) - before, tool.total)
        return { name, tool, next, total }
      })
      const over = changes.find(({ total }) => total > worldLimits.results)
      if (over) return over.name
      for (const { name, tool, next, total } of changes) {
        tool.total = total
        for (const [key, known] of next) tool.keys.set(key, known)
        tools.set(name, tool)
      }
      return null
    },
  }
}

/** Results of one call in a task: each but the last as often as it came, the last from then on. */
function sequenceOf(given: RecordedCall['arguments'], calls: readonly RecordedCall[]): Entry[] {
  const runs: { call: RecordedCall; times: number }[] = []
  for (const call of calls) {
    const last = runs.at(-1)
    if (last && last.call.result === call.result) last.times++
    else runs.push({ call, times: 1 })
  }
  return runs.map(({ call: { result, isError }, times }, i) => ({
    arguments: rulesOf(given),
    ...(i < runs.length - 1 && { times }),
    ...(isError ? { error: (result ?? '').replace(/^error:\s*/i, '') || 'failed' } : { result: result ?? '' }),
  }))
}

function stableKey(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(stableKey).join()}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${stableKey(inner)}`).join()}}`
}

/** Recorded arguments as rules; what would read as a rule of another kind takes anything. */
export function rulesOf(given: RecordedCall['arguments']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      isDeeperThan(mostLevels - 8, value) || /"\$/.test(JSON.stringify(value)) ? { $any: true } : value,
    ]),
  )
}
