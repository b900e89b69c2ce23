import { conversationText } from '../../../contract/messages/message-text.ts'
import type { CallNote, ModelRequest } from '../model-client.ts'
import type { AgentInterface } from './agent-card.ts'
import { dropped } from '../wire/wire-protocol.ts'

const title = 'The agent-to-agent protocol'

/** The message that puts a conversation to an agent, which keeps nothing between calls. */
export function agentMessage(
  request: ModelRequest,
  messageId: string,
  { protocol, binding }: Pick<AgentInterface, 'protocol' | 'binding'>,
): { readonly message: object; readonly notes: readonly CallNote[] } {
  const { messages } = request
  const text = conversationText(messages)
  const messageOf = (): object => {
    if (protocol === '1.0') return { messageId, role: 'ROLE_USER', parts: [{ text }] }
    // By HTTP, 0.3 has the form of its protobuf description.
    if (binding === 'HTTP+JSON') return { messageId, role: 'ROLE_USER', content: [{ text }] }
    return { kind: 'message', messageId, role: 'user', parts: [{ kind: 'text', text }] }
  }
  return {
    message: messageOf(),
    notes: [
      ...dropped('temperature', title, request.temperature !== null),
      ...dropped('max_output_tokens', title, true),
      ...dropped('stop', title, request.stop.length > 0),
      ...dropped('tools', title, request.tools !== undefined),
      ...dropped('effort', title, request.effort !== undefined),
      ...(messages.length > 1
        ? [
            {
              code: 'parameter_adapted' as const,
              message: `${title} takes one message: the ${messages.length} messages were sent as one text.`,
            },
          ]
        : []),
    ],
  }
}
