import { contentText } from '../../../../contract/messages/message-text.ts'
import { z } from 'zod'
import type { Message, ToolDefinition, Turn } from '../../../clients/model-client.ts'
import { inOrder, type ToolProtocol } from './protocol.ts'
import { jsonIn } from '../../../../lib/json-value.ts'

const UseOfTool = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) })
const FinalAnswer = z.object({ answer: z.union([z.string(), z.number(), z.boolean()]) })

const howTo = [
  'Reply with one JSON object and nothing else.',
  'To use a tool: {"tool": "<name>", "arguments": {...}}. What it answers comes in the next message.',
  'To end: {"answer": "<your answer>"}.',
].join('\n')

/** Tools by plain text, for models without tool calls: each reply is one JSON object, a tool's use or the answer. */
export const textTools: ToolProtocol = {
  offersTools: false,
  open: (messages, tools) => withInstructions(messages, `${describeTools(tools)}\n\n${howTo}`),
  read: ({ output }) => {
    const message: Message = { role: 'assistant', content: output }
    const value = lastObjectIn(output)
    const answer = FinalAnswer.safeParse(value)
    if (answer.success) return { kind: 'answer', message, answer: String(answer.data.answer) }
    const use = UseOfTool.safeParse(value)
    return {
      kind: 'actions',
      message,
      uses: [
        {
          callId: '',
          action: use.success ? { tool: use.data.tool, arguments: use.data.arguments } : null,
          complaint: `That could not be read. ${howTo}`,
        },
      ],
    }
  },
  observe: ({ uses }, act) =>
    inOrder(
      uses,
      async ({ action, complaint }): Promise<Turn> => ({
        role: 'user',
        content: action ? `${action.tool}: ${await act(action)}` : complaint,
      }),
    ),
}

function withInstructions(messages: readonly Turn[], instructions: string): Turn[] {
  const [first, ...rest] = messages
  if (first?.role === 'system') return [{ role: 'system', content: `${contentText(first.content)}\n\n${instructions}` }, ...rest]
  return [{ role: 'system', content: instructions }, ...messages]
}

/** The tools as a model reads them. */
export function describeTools(tools: readonly ToolDefinition[]): string {
  const lines = tools.map(({ name, description, parameters, schema }) => {
    if (schema) return `- ${name}: ${description}\n    arguments as JSON Schema: ${JSON.stringify(schema)}`
    const list = parameters.map(parameter => {
      const values = parameter.values ? `, one of ${parameter.values.join(', ')}` : ''
      return `    ${parameter.name} (${parameter.type}${values}): ${parameter.description}`
    })
    return [`- ${name}: ${description}`, ...list].join('\n')
  })
  return `You can use these tools:\n${lines.join('\n')}`
}

/** Characters of a reply in which an object is looked for; the rest of a longer one is prose. */
const searched = 100_000
/** Objects tried, so that a reply full of braces costs no more than a normal one. */
const mostTried = 50

/** The last JSON object in a text, ignoring surrounding prose or code fences; null where there is none. */
function lastObjectIn(text: string): unknown {
  const tail = text.slice(-searched)
  const end = tail.lastIndexOf('}')
  let tried = 0
  let found: unknown = null
  for (let start = tail.lastIndexOf('{', end); start !== -1 && tried < mostTried; start = tail.lastIndexOf('{', start - 1), tried++) {
    const value = jsonIn(tail.slice(start, end + 1))
    // An outer object that parses as well holds the inner one as a part.
    if (value !== undefined) found = value
    if (start === 0) break
  }
  return found
}
