import { inOrder, type ToolProtocol } from './protocol.ts'
import { argumentsIn } from './read-arguments.ts'

/** Of arguments that could not be read, as they are told back. */
const quotedCharacters = 500

/** Tools in the form that the provider's protocol has for them. A turn without a tool call is the answer. */
export const nativeTools: ToolProtocol = {
  offersTools: true,
  open: messages => messages,
  read: ({ output, toolCalls = [], carried }) => {
    if (toolCalls.length === 0) return { kind: 'answer', message: { role: 'assistant', content: output }, answer: output }
    const calls = toolCalls.map(call => ({ call, read: argumentsIn(call.arguments) }))
    return {
      kind: 'actions',
      message: {
        role: 'assistant',
        content: output,
        // Servers refuse a history whose arguments are not JSON; what was there is told in the result.
        toolCalls: calls.map(({ call, read }) => ({ ...call, arguments: read && call.arguments.trim() !== '' ? call.arguments : '{}' })),
        ...(carried && { carried }),
      },
      uses: calls.map(({ call: { id, name, arguments: text }, read }) => ({
        callId: id,
        action: read ? { tool: name, arguments: read } : null,
        complaint: `The arguments are not a JSON object: ${text.slice(0, quotedCharacters)}`,
      })),
    }
  },
  observe: ({ uses }, act) =>
    inOrder(uses, async ({ callId, action, complaint }) => ({
      role: 'tool',
      toolCallId: callId,
      content: action ? await act(action) : complaint,
    })),
}
