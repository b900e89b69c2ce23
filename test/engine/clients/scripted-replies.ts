import { httpHead, httpResponse, type WireScript, type WireStep } from '../../journeys/model-server/fault-server.ts'

const json = { 'content-type': 'application/json' }

export const usage = { prompt_tokens: 5, completion_tokens: 1 }

/** A chat completion that says “4”, with anything in it changed. */
export const completion = (changes: object = {}, message: object = {}, finish_reason: string | null = 'stop'): string =>
  JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: '4', ...message }, finish_reason }], usage, ...changes })

export const reply = (status: number, body: string | Uint8Array = '', headers: Readonly<Record<string, string>> = {}): WireScript => [
  { send: httpResponse(status, { ...json, ...headers }, body) },
]

export const errorReply = (status: number, error: object = { message: 'x' }, headers: Readonly<Record<string, string>> = {}): WireScript =>
  reply(status, JSON.stringify({ error }), headers)

/** Server-sent events in one chunk after another; ends the body unless more steps follow. */
export function events(chunks: readonly (string | Uint8Array)[], ending: readonly WireStep[] = [endOfBody]): WireScript {
  const head = httpHead(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' })
  return [{ send: head }, ...chunks.map(chunk => ({ send: httpChunk(chunk) })), ...ending]
}

export const endOfBody: WireStep = { send: '0\r\n\r\n' }

export function httpChunk(data: string | Uint8Array): Buffer {
  const bytes = Buffer.from(data)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

export const event = (value: object | string, lineEnd = '\n'): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}${lineEnd}${lineEnd}`

export const delta = (content: string, index = 0) => ({ choices: [{ index, delta: { content }, finish_reason: null }] })

export const finish = (finish_reason = 'stop') => ({ choices: [{ index: 0, delta: {}, finish_reason }] })

export const done = event('[DONE]')

/** A whole streamed answer, “4 it is”. */
export const fourItIs = [event(delta('4 ')), event(delta('it is')), event(finish())]
