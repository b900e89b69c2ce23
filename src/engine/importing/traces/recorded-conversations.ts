import { z } from 'zod'
import { contentText } from '../../../contract/messages/message-text.ts'
import { type Message, partsOf } from '../../../contract/messages/messages.schemas.ts'
import type { RecordedConversation } from '../../../contract/worlds/play.schemas.ts'
import { RowError } from '../files/row.ts'
import { isConversation, readConversation } from '../messages/read-conversation.ts'
import { jsonIn } from '../../../lib/json-value.ts'

const Tools = z.array(z.record(z.string(), z.unknown()))
const Listed = z.object({ tools: Tools.optional().catch(undefined) })
const Named = z.object({ id: z.union([z.string(), z.number()]).optional().catch(undefined) })
const Entry = z.looseObject({
  messages: z.unknown().optional(),
  conversations: z.unknown().optional(),
  input: z.unknown().optional(),
  target: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
})
const InspectLog = z.object({ samples: z.array(z.unknown()).min(1), eval: z.looseObject({}) })
const PromptfooResults = z.object({
  results: z.object({
    results: z
      .array(z.object({ prompt: z.object({ raw: z.string() }), response: z.object({ output: z.unknown().optional() }).nullish() }))
      .min(1),
  }),
  config: z
    .object({
      providers: z
        .array(z.object({ config: Listed.optional().catch(undefined) }).catch({ config: undefined }))
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})

/**
 * Conversations with tool calls in a value of a file: a line of OpenAI's form for fine-tuning, of Anthropic's messages or of ShareGPT, a
 * sample of an Inspect dataset, a whole Inspect log, or results of promptfoo whose prompts are lists of messages.
 * @param name of the value, for errors
 * @param leave is told how many parts that only their provider can read were left out
 * @throws RowError for what holds none
 */
export function recordedConversations(value: unknown, name: string, leave: Leave = () => undefined): RecordedConversation[] {
  const log = InspectLog.safeParse(value).data
  if (log) return log.samples.map((sample, i) => conversationOf(sample, `${name}, sample ${i + 1}`, leave))
  const promptfoo = PromptfooResults.safeParse(value).data
  if (promptfoo) {
    const tools = promptfoo.config?.providers?.flatMap(({ config }) => config?.tools ?? []) ?? []
    return promptfoo.results.results.map(({ prompt, response }, i) => {
      const place = `${name}, result ${i + 1}`
      const messages = jsonIn(prompt.raw)
      if (!isConversation(messages)) throw new RowError(`${place}: its prompt is no JSON list of messages.`)
      return recorded([...listOf(messages), ...answerOf(response?.output)], place, { tools }, leave)
    })
  }
  return [conversationOf(value, name, leave)]
}

function conversationOf(value: unknown, name: string, leave: Leave): RecordedConversation {
  if (isConversation(value)) return recorded(listOf(value), name, {}, leave)
  const entry = Entry.safeParse(value).data
  if (!entry) throw new RowError(`${name}: no conversation. It needs "messages", "conversations" or "input" with a list of messages.`)
  const about = { ...Listed.safeParse(value).data, ...Named.safeParse(value).data }
  for (const messages of [entry.messages, entry.conversations])
    if (isConversation(messages)) return recorded(listOf(messages), name, about, leave)
  const input = typeof entry.input === 'string' ? [{ role: 'user', content: entry.input }] : entry.input
  if (!isConversation(input))
    throw new RowError(`${name}: no list of messages with "role" and "content" in "messages", "conversations" or "input".`)
  const [target] = [entry.target ?? []].flat()
  return recorded([...listOf(input), ...(target === undefined ? [] : [{ role: 'assistant', content: target }])], name, about, leave)
}

/** What a model answered: a text, or tool calls as promptfoo keeps them. */
function answerOf(output: unknown): object[] {
  if (typeof output === 'string') {
    const calls = Tools.safeParse(jsonIn(output)).data
    return calls && calls.length > 0 && calls.every(call => 'function' in call)
      ? [{ role: 'assistant', content: null, tool_calls: calls }]
      : [{ role: 'assistant', content: output }]
  }
  const calls = Tools.safeParse(output).data
  return calls ? [{ role: 'assistant', content: null, tool_calls: calls }] : []
}

type Leave = (parts: number) => void

interface About {
  readonly tools?: RecordedConversation['tools'] | undefined
  readonly id?: string | number | undefined
}

function recorded(messages: readonly unknown[], name: string, { tools, id }: About, leave: Leave): RecordedConversation {
  // A message at the end keeps the reader from taking the last answer off, whose tool calls count here.
  const { messages: read, left } = readConversation([...messages, { role: 'user', content: 'End.' }], name)
  if (left > 0) leave(left)
  return {
    ...(id !== undefined && { id: String(id).slice(0, 200) }),
    messages: read.slice(0, -1).map(plainMessage),
    ...(tools !== undefined && tools.length > 0 && { tools }),
  }
}

function plainMessage(message: Message): RecordedConversation['messages'][number] {
  const { role, content, tool_call_id: answered } = message
  const calls = partsOf(message).flatMap(part => (part.type === 'tool_call' ? [part] : []))
  const isError = Array.isArray(content) && content.some(part => part.type === 'tool_result' && part.is_error === true)
  return {
    role,
    content: `${isError ? 'Error: ' : ''}${contentText(content)}`,
    ...(calls.length > 0 && { tool_calls: calls.map(({ id, name, arguments: given }) => ({ id, function: { name, arguments: given } })) }),
    ...(answered !== undefined && { tool_call_id: answered }),
  }
}

const listOf = (value: unknown): unknown[] => z.array(z.unknown()).parse(value)
