import { callReportLimits, reportedCarried, type WorkerCallOutcome } from '../../contract/workers/worker-calls.schemas.ts'
import type { CallOutcome, EarlierCall, Wire } from '../../engine/clients/model-client.ts'

/** As it travels: bytes in base64, and nothing longer than a report may be. */
export function encodeOutcome(outcome: CallOutcome): WorkerCallOutcome {
  const { earlier, notes, request, response, announced, ...rest } = outcome
  const { name, message, text } = callReportLimits
  const wire = {
    request: encode(request),
    response: encode(response),
    ...(earlier && {
      earlier: earlier.slice(-callReportLimits.earlier).map(call => ({ request: encode(call.request), response: encode(call.response) })),
    }),
    ...(notes && {
      notes: notes.slice(0, callReportLimits.notes).map(note => ({ code: note.code, message: note.message.slice(0, message) })),
    }),
    ...(announced === undefined ? {} : { announced: announced && { ...announced } }),
  }
  if (!rest.ok) return { ...rest, message: rest.message.slice(0, message), ...wire }
  const { toolCalls, carried, reasoning, servedModel, ...answer } = rest
  return {
    ...answer,
    output: answer.output.slice(0, text),
    finishReason: answer.finishReason?.slice(0, name) ?? null,
    ...(reasoning !== undefined && { reasoning: reasoning.slice(0, text) }),
    ...(servedModel !== undefined && { servedModel: servedModel.slice(0, name) }),
    // A part of what a provider signed would be refused by it; without it, the next turn is asked in the protocol's own words.
    ...(carried && reportedCarried.safeParse(carried).success && { carried }),
    ...(toolCalls && {
      toolCalls: toolCalls
        .slice(0, callReportLimits.toolCalls)
        .map(call => ({ id: call.id.slice(0, name), name: call.name.slice(0, name), arguments: call.arguments.slice(0, text) })),
    }),
    ...wire,
  }
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
