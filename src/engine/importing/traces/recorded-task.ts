import type { Span, TraceDetail, TraceMessage } from '../../../contract/traces/traces.schemas.ts'

/** A tool call of a trace with what it gave. */
export interface RecordedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Null where the trace holds none. */
  readonly result: string | null
  readonly isError: boolean
}

/** What an agent was asked in a trace, what it did and what it answered. */
export interface RecordedTask {
  readonly system: string | null
  /** What the user said, oldest first. */
  readonly users: readonly string[]
  readonly calls: readonly RecordedCall[]
  readonly answer: string | null
  /** What the recording lacks, for people. */
  readonly notes: readonly string[]
}

/** The part of a span that is read. */
export type RecordedSpan = Pick<Span, 'kind' | 'name' | 'status' | 'input_messages' | 'output_messages' | 'attributes'>

/** The part of a trace that is read; also what a recorded conversation is made into. */
export interface RecordedTrace extends Pick<TraceDetail, 'id' | 'name' | 'started_at'> {
  readonly spans: readonly RecordedSpan[]
}

interface OpenCall {
  readonly name: string
  readonly arguments: string
  result: string | null
}

/**
 * Reads the longest conversation of a trace: the model call that was shown most messages, with what it said. Results that are not among
 * its messages are taken from tool spans of the same name, in their order; without tool calls in it, the tool spans are the calls.
 */
export function recordedTask({ spans }: Pick<RecordedTrace, 'spans'>): RecordedTask {
  const notes: string[] = []
  const conversation = longestConversation(spans)
  const system: string[] = []
  const users: string[] = []
  const calls: OpenCall[] = []
  let answer: string | null = null
  for (const { role, content, tool_calls: made = [] } of conversation) {
    const waiting = calls.filter(({ result }) => result === null)
    if (role === 'system' || role === 'developer') system.push(content)
    else if (role === 'tool' || (waiting.length === 1 && role === 'user' && answer === null)) {
      // Anthropic gives results back in a message of the user.
      if (waiting[0]) waiting[0].result = content
    } else if (role === 'user' || role === 'input') users.push(content)
    else {
      calls.push(...made.map(call => ({ name: call.name, arguments: call.arguments, result: null })))
      answer = made.length === 0 && content.trim() !== '' ? content : null
    }
  }
  const toolSpans = spans.filter(({ kind }) => kind === 'tool')
  const unused = new Set(toolSpans)
  if (calls.length === 0)
    for (const span of toolSpans) {
      unused.delete(span)
      calls.push({ name: toolNameOf(span), arguments: span.input_messages?.[0]?.content ?? '{}', result: resultOf(span) })
    }
  const read = calls.flatMap((call): RecordedCall[] => {
    const span = [...unused].find(each => toolNameOf(each) === call.name)
    if (span) unused.delete(span)
    const given = objectIn(call.arguments)
    if (!given) {
      notes.push(`${call.name}: its arguments are no JSON object, so the call was left out: ${call.arguments.slice(0, 80)}`)
      return []
    }
    const result = call.result ?? (span ? resultOf(span) : null)
    if (result === null) notes.push(`Missing result: the trace does not hold what ${call.name} ${call.arguments.slice(0, 80)} answered.`)
    const isError = span?.status === 'error' || (result !== null && /^error\b/i.test(result))
    return [{ name: call.name, arguments: given, result, isError }]
  })
  if (answer === null) notes.push('Missing answer: the trace ends before the model answered.')
  return { system: system.length === 0 ? null : system.join('\n\n'), users, calls: read, answer, notes }
}

function longestConversation(spans: readonly RecordedSpan[]): readonly TraceMessage[] {
  const all = spans
    .filter(({ kind }) => kind !== 'tool')
    .map(({ input_messages: input = [], output_messages: output = [] }) => [...input, ...output])
  return all.reduce((longest, one) => (one.length >= longest.length && one.length > 0 ? one : longest), [])
}

/** By the attributes of the conventions in use, or the span's own name. */
function toolNameOf({ name, attributes }: RecordedSpan): string {
  const named = [
    attributes['gen_ai.tool.name'],
    attributes['ai.toolCall.name'],
    attributes['tool.name'],
    attributes['traceloop.entity.name'],
  ]
  return named.find(value => typeof value === 'string') ?? name.replace(/^execute_tool /, '')
}

function resultOf({ output_messages: output = [] }: RecordedSpan): string | null {
  return output[0]?.content ?? null
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}

const definitionAttributes = ['gen_ai.tool.definitions', 'ai.prompt.tools', 'llm.request.functions', 'pydantic_ai.tools'] as const

export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>> | null
}

/** Tools that the model was offered, as far as the trace tells. */
export function offeredTools({ spans }: Pick<RecordedTrace, 'spans'>): OfferedTool[] {
  const found = new Map<string, OfferedTool>()
  for (const { attributes } of spans)
    for (const name of definitionAttributes)
      for (const definition of definitionsIn(attributes[name])) {
        const tool = offered(definition)
        if (tool && !found.has(tool.name)) found.set(tool.name, tool)
      }
  return [...found.values()]
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

function definitionsIn(value: unknown): Fields[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? parsed(value) : []
  return (Array.isArray(list) ? list : []).flatMap(entry => {
    const read = typeof entry === 'string' ? parsed(entry) : entry
    return isFields(read) ? [read] : []
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function offered(definition: Fields): OfferedTool | null {
  const of = isFields(definition['function']) ? definition['function'] : definition
  const { name, description } = of
  if (typeof name !== 'string') return null
  const schema = of['parameters'] ?? of['input_schema'] ?? of['inputSchema']
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: isFields(schema) && schema['type'] === 'object' ? schema : null,
  }
}
