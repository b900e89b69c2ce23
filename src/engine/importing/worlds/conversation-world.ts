import { type RecordedConversation, RecordedConversation as Conversation } from '../../../contract/worlds/play.schemas.ts'
import { worldLimits } from '../../../contract/worlds/worlds.schemas.ts'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { mendJson } from '../../../lib/mend-json.ts'
import type { Archive } from '../../archives/archive.ts'
import { isDeeperThan, mostLevels, tooDeep } from '../../grading/worlds/json-values.ts'
import { RowError } from '../files/row.ts'
import { describeLeft, isConversation } from '../messages/read-conversation.ts'
import { recordedConversations } from '../traces/recorded-conversations.ts'
import { traceOfConversation } from '../traces/trace-of-conversation.ts'
import { type WorldOfTraces, worldOfTraces } from '../traces/world-of-traces.ts'

/** Samples of a packed Inspect log, and files of conversations. */
const conversationFile = /\.(?:jsonl|ndjson|json)$/i

export const holdsConversations = (name: string): boolean => conversationFile.test(name)

/**
 * One world of recorded conversations: each is a task. What cannot become one is left out by file and line.
 * @throws RowError, RangeError where nothing is left
 */
export function worldOfConversations(title: string, { names, read }: Pick<Archive, 'names' | 'read'>): WorldOfTraces {
  const left: { readonly id: null; readonly name: string; readonly reason: string }[] = []
  const found: RecordedConversation[] = []
  for (const name of names) {
    for (const { place, value, problem } of valuesIn(name, read(name).toString('utf8'))) {
      const leave = (parts: number) => left.push({ id: null, name: place, reason: `${describeLeft(parts)}.` })
      try {
        if (problem !== undefined) throw new RowError(problem)
        for (const one of recordedConversations(value, place, leave)) {
          const parsed = Conversation.safeParse(one)
          if (!parsed.success) throw new RowError(describeFirst(parsed.error.issues))
          if (found.length < worldLimits.tasks) found.push(parsed.data)
          else left.push({ id: null, name: place, reason: `is more than the ${worldLimits.tasks} tasks that an environment holds.` })
        }
      } catch (error) {
        if (!(error instanceof RowError)) throw error
        left.push({ id: null, name: place, reason: withoutPlace(error.message, place) })
      }
    }
  }
  if (found.length === 0) throw new RowError(left[0] ? `${left[0].name}: ${left[0].reason}` : 'No conversations were found.')
  const made = worldOfTraces(title, withOwnIds(found).map(traceOfConversation))
  return { ...made, leftOut: [...left, ...made.leftOut] }
}

interface Value {
  readonly place: string
  readonly value?: unknown
  readonly problem?: string
}

/** The values of a file with their places; of a list of conversations each. */
function valuesIn(name: string, text: string): Value[] {
  if (/\.json$/i.test(name)) {
    const read = jsonAt(name, text)
    const { value } = read
    if (!Array.isArray(value) || isConversation(value)) return [read]
    return value.map((each: unknown, i) => ({ place: `${name}, entry ${i + 1}`, value: each }))
  }
  return text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [jsonAt(`${name}:${i + 1}`, line)]))
}

function jsonAt(place: string, text: string): Value {
  try {
    const value: unknown = JSON.parse(text)
    return isDeeperThan(mostLevels, value) ? { place, problem: tooDeep } : { place, value }
  } catch {
    return { place, problem: mendJson(text) }
  }
}

function withoutPlace(message: string, place: string): string {
  return message.startsWith(`${place}: `) ? message.slice(place.length + 2) : message
}

/** Epochs of a log repeat the ids of its samples. */
function withOwnIds(found: readonly RecordedConversation[]): RecordedConversation[] {
  const seen = new Set<string>()
  return found.map((one, i) => {
    const id = one.id ?? `conversation-${i + 1}`
    const own = seen.has(id) ? `${id.slice(0, 180)} (${i + 1})` : id
    seen.add(own)
    return { ...one, id: own }
  })
}
