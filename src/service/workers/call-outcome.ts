import type { WorkerCallOutcome } from '../../contract/index.ts'
import type { CallOutcome, EarlierCall, Wire } from '../../engine/clients/model-client.ts'

/** As it travels: bytes in base64. */
export function encodeOutcome(outcome: CallOutcome): WorkerCallOutcome {
  const { earlier, notes, request, response, announced, ...rest } = outcome
  const wire = {
    request: encode(request),
    response: encode(response),
    ...(earlier && { earlier: earlier.map(call => ({ request: encode(call.request), response: encode(call.response) })) }),
    ...(notes && { notes: notes.map(note => ({ ...note })) }),
    ...(announced === undefined ? {} : { announced: announced && { ...announced } }),
  }
  if (!rest.ok) return { ...rest, ...wire }
  const { toolCalls, ...answer } = rest
  return { ...answer, ...(toolCalls && { toolCalls: toolCalls.map(call => ({ ...call })) }), ...wire }
}

/** As the engine has it. */
export function decodeOutcome(outcome: WorkerCallOutcome): CallOutcome {
  const { earlier, request, response, ...rest } = outcome
  const wire: Pick<Wire, 'earlier' | 'request' | 'response'> = {
    request: decode(request),
    response: decode(response),
    ...(earlier && { earlier: earlier.map((call): EarlierCall => ({ request: decode(call.request), response: decode(call.response) })) }),
  }
  return { ...rest, ...wire }
}

function encode(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString('base64')
}

function decode(text: string | null): Uint8Array | null {
  return text === null ? null : Buffer.from(text, 'base64')
}
