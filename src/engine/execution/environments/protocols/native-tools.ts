import type { Turn } from '../../../clients/model-client.ts'
import type { ToolProtocol } from './protocol.ts'
import { argumentsIn } from './read-arguments.ts'

/** Tools in the form that the provider's protocol has for them. A turn without a tool call is the answer. */
export const nativeTools: ToolProtocol = {
  offersTools: true,
  open: messages => messages,
  read: ({ output, toolCalls = [] }) => {
    if (toolCalls.length === 0) return { kind: 'answer', message: { role: 'assistant', content: output }, answer: output }
    return {
      kind: 'actions',
      message: { role: 'assistant', content: output, toolCalls },
      uses: toolCalls.map(({ id, name, arguments: text }) => {
        const read = argumentsIn(text)
        return {
          callId: id,
          action: read ? { tool: name, arguments: read } : null,
          complaint: 'The arguments are not a JSON object.',
        }
      }),
    }
  },
  observe: ({ uses }, act) =>
    uses.map(({ callId, action, complaint }): Turn => ({ role: 'tool', toolCallId: callId, content: action ? act(action) : complaint })),
}
