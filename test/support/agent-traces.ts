import type { RecordedSpan } from './otlp.ts'

const part = (content: string) => [{ type: 'text', content }]

interface RecordedAgent {
  readonly name: string
  readonly asked: string
  readonly calls: readonly {
    readonly tool: string
    readonly given: Readonly<Record<string, unknown>>
    /** Null: the trace does not hold it. */
    readonly result: string | null
  }[]
  readonly answer: string
}

/** A trace of an agent by the OpenTelemetry conventions: its last model call was shown everything before it. */
export function agentTrace({ name, asked, calls, answer }: RecordedAgent): RecordedSpan {
  const messages = [
    { role: 'system', parts: part('You work at the desk of a shop.') },
    { role: 'user', parts: part(asked) },
    ...calls.flatMap(({ tool, given, result }, i) => [
      { role: 'assistant', parts: [{ type: 'tool_call', id: `c${i}`, name: tool, arguments: JSON.stringify(given) }] },
      ...(result === null ? [] : [{ role: 'tool', parts: [{ type: 'tool_call_response', id: `c${i}`, result }] }]),
    ]),
  ]
  return {
    name,
    attributes: { 'gen_ai.operation.name': 'invoke_agent' },
    children: [
      ...calls.map(({ tool }) => ({
        name: `execute_tool ${tool}`,
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool },
      })),
      {
        name: 'chat gpt-6',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-6',
          'gen_ai.input.messages': JSON.stringify(messages),
          'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: part(answer) }]),
        },
      },
    ],
  }
}
