import type { Answer, ToolCall } from '../../clients/model-client.ts'

/** An answer that no server gave: of an agent that is built in, or of a person who plays the model. */
export function scriptedAnswer(output: string, toolCalls?: readonly ToolCall[]): Answer {
  return {
    ok: true,
    output,
    ...(toolCalls && { toolCalls }),
    finishReason: 'stop',
    refused: false,
    usage: null,
    latencyMs: 0,
    request: null,
    response: null,
    httpStatus: null,
  }
}
