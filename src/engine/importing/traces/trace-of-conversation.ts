import type { TraceMessage } from '../../../contract/traces/traces.schemas.ts'
import type { RecordedConversation } from '../../../contract/worlds/play.schemas.ts'
import type { RecordedTrace } from './recorded-task.ts'

type Message = RecordedConversation['messages'][number]

/** A recorded conversation as the trace of one model call that was shown all of it. @param place from 0 */
export function traceOfConversation({ id, messages, tools = [] }: RecordedConversation, place: number): RecordedTrace {
  return {
    id: id ?? `conversation-${place + 1}`,
    name: `conversation ${place + 1}`,
    // Nothing tells when it was recorded.
    started_at: '',
    spans: [
      {
        kind: 'llm',
        name: 'chat',
        status: 'ok',
        input_messages: inCallOrder(messages).map(traceMessage),
        attributes: { 'gen_ai.tool.definitions': tools },
      },
    ],
  }
}

/** Results of parallel calls in the order of their calls, whatever the order in which they were recorded. */
function inCallOrder(messages: readonly Message[]): Message[] {
  const ordered: Message[] = []
  for (let i = 0; i < messages.length; ) {
    const message = messages[i]
    if (!message) break
    i++
    ordered.push(message)
    const calls = message.tool_calls ?? []
    if (calls.length < 2) continue
    const results: Message[] = []
    for (let next = messages[i]; next?.role === 'tool'; next = messages[i]) {
      results.push(next)
      i++
    }
    // The first of calls with one id; looked up, since others write how many there are.
    const places = new Map(calls.map(({ id }, place) => [id, place] as const).toReversed())
    const placeOf = ({ tool_call_id: of }: Message) => (of === undefined ? -1 : (places.get(of) ?? -1))
    ordered.push(...results.toSorted((a, b) => placeOf(a) - placeOf(b)))
  }
  return ordered
}

function traceMessage({ role, content, tool_calls: calls }: Message): TraceMessage {
  const text = typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('')
  return {
    role,
    content: text,
    ...(calls && { tool_calls: calls.map(({ id, function: { name, arguments: given } }) => ({ id: id ?? null, name, arguments: given })) }),
  }
}
