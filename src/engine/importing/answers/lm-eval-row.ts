import { z } from 'zod'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { conversationText } from '../../../contract/messages/message-text.ts'
import type { Message } from '../../../contract/messages/messages.schemas.ts'
import { isConversation, type ReadConversation, readConversation } from '../messages/read-conversation.ts'
import { LogError } from './foreign-log.ts'

const Request = z.looseObject({ arg_0: z.union([z.string(), z.array(z.string())]), arg_1: z.unknown().optional() })
/** Releases before 0.4.3 write a list of pairs, later ones an object whose keys end in the number of the request. */
const Arguments = z.union([
  z.record(z.string(), Request).transform(requests =>
    Object.entries(requests)
      .sort(([a], [b]) => numberIn(a) - numberIn(b))
      .map(([, request]) => request),
  ),
  z.array(z.array(z.unknown()).min(1)).transform(lists => lists.map(([context, more]) => ({ arg_0: contextOf(context), arg_1: more }))),
])
const Scalar = z.union([z.string(), z.number(), z.boolean()])

const Row = z.looseObject({
  doc_id: z.union([z.int().min(0), z.string().min(1).max(200)]),
  doc: z.record(z.string(), z.unknown()),
  target: z.unknown(),
  arguments: Arguments,
  resps: z.array(z.array(z.unknown())),
  filtered_resps: z.array(z.unknown()).default([]),
  filter: z.string().optional(),
  metrics: z.array(z.string()).optional(),
})

interface Context {
  readonly context: string
  readonly messages: readonly Message[] | null
  /** Parts of the messages that only their provider can read. */
  readonly left: number
}

/** A line of a samples file: a document under one filter. */
export interface SampleRow {
  readonly docId: number | string
  /** As text, as Python writes it; empty where the document has none. */
  readonly targets: readonly string[]
  /** Of each request, in the order of its answers. */
  readonly requests: readonly (Context & { readonly continuation: unknown })[]
  readonly resps: readonly (readonly unknown[])[]
  /** What the filter made of the answers. */
  readonly filtered: readonly unknown[]
  readonly filter: string
  /** The log's own values of this document by metric; null where it is not a number. */
  readonly values: ReadonlyMap<string, number | null>
}

/** A row as the file has it, which need not name its filter. */
export type ReadRow = Omit<SampleRow, 'filter'> & { readonly filter: string | null }

/** @throws LogError */
export function readSampleRow(value: unknown, place: string): ReadRow {
  const parsed = Row.safeParse(value)
  if (!parsed.success)
    throw new LogError(
      `Send samples_*.jsonl as lm-evaluation-harness writes it with --log_samples: ${place} is another row, in which ${describeFirst(parsed.error.issues, 'the row')}.`,
    )
  const { doc_id: docId, target, arguments: requests, resps, filtered_resps: filtered, filter = null, metrics, ...rest } = parsed.data
  if (requests.length > 0 && requests.every(({ arg_1: continuation }) => continuation === undefined))
    throw new LogError(
      `${place} measures the likelihood of a whole text ("loglikelihood_rolling"). There is no answer in it that could be graded; import the results of tasks with answers or choices.`,
    )
  const names = metrics ?? Object.keys(rest).filter(name => valueOf(rest[name]) !== null && !notMetrics.has(name))
  return {
    docId,
    targets: targetTexts(target),
    requests: requests.map(({ arg_0: context, arg_1: continuation }) => ({ ...contextIn(context), continuation })),
    resps,
    filtered,
    filter,
    values: new Map(names.map(name => [name, valueOf(rest[name])])),
  }
}

const notMetrics: ReadonlySet<string> = new Set(['doc', 'doc_id', 'target', 'doc_hash', 'prompt_hash', 'target_hash'])

/** lmms-eval writes an object with the score and what it belongs to. */
function valueOf(value: unknown): number | null {
  const given = typeof value === 'object' && value !== null && 'score' in value ? value.score : value
  return typeof given === 'number' || typeof given === 'boolean' ? Number(given) : null
}

function numberIn(key: string): number {
  return Number(key.slice(key.lastIndexOf('_') + 1)) || 0
}

function contextOf(value: unknown): string | string[] {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(String) : JSON.stringify(value ?? '')
}

/** A conversation is written as JSON within a list. */
function contextIn(context: string | readonly string[]): Context {
  if (typeof context === 'string') return { context, messages: null, left: 0 }
  const [only, other] = context
  const read = other === undefined && only !== undefined ? conversation(only) : null
  return read ? { context: conversationText(read.messages), ...read } : { context: context.join('\n'), messages: null, left: 0 }
}

/** Null for anything but messages that end with a question; a prefilled answer has no form here. */
function conversation(text: string): Pick<ReadConversation, 'messages' | 'left'> | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const value: unknown = JSON.parse(text)
    if (!isConversation(value)) return null
    const { messages, answer, left } = readConversation(value, 'arguments')
    return answer === null ? { messages, left } : null
  } catch {
    return null
  }
}

/** As Python's `str` writes them; of an object with a list of texts, as SQuAD has it, the texts. */
function targetTexts(target: unknown): string[] {
  if (target === null || target === undefined) return []
  if (Array.isArray(target)) return target.flatMap(targetTexts)
  const scalar = Scalar.safeParse(target)
  if (scalar.success) return [scalar.data === true ? 'True' : scalar.data === false ? 'False' : String(scalar.data)]
  const { data } = z.looseObject({ text: z.array(z.string()) }).safeParse(target)
  return data?.text ?? [JSON.stringify(target)]
}
