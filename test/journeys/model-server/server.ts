import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type FindAnswer, indexAnswers } from './answer-index.ts'
import { type ChatRequest, completion, completionEvents } from './chat-completion.ts'
import { type HttpFault, type HttpFaultName, httpFaults } from './http-faults.ts'
import { listen, type RunningServer } from './listen.ts'

export interface ModelServerOptions {
  /** Answers by question text, which is looked for in the last user message; or a function of that message. */
  readonly answers: ReadonlyMap<string, string> | FindAnswer
  /** Said where there is no answer. */
  readonly fallback?: string
  /** Milliseconds before each reply, or where they come from. */
  readonly delayMs?: number | (() => number)
  /** What the reply to a request waits for, by its number from 1; null: nothing. */
  readonly held?: (asked: number) => Promise<unknown> | null
  /** What happens to the first requests, one each; `ok` answers. Later ones are answered. */
  readonly faults?: readonly ('ok' | HttpFaultName)[]
  /** Whether token counts are reported. */
  readonly usage?: boolean
  /** 0 picks a free port. */
  readonly port?: number
}

export interface ModelServer extends RunningServer {
  /** Ends in `/v1`, as a connection wants it. */
  readonly baseUrl: string
  /** Chat completions asked for so far. */
  requests(): number
}

/** A model server that speaks the chat-completions protocol and says what it was told to. Listens on this machine only. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { answers, fallback = 'There is no recorded answer for this question.', usage = true, faults = [] } = options
  const find = typeof answers === 'function' ? answers : indexAnswers(answers)
  const delay = delayOf(options.delayMs ?? 0)
  let asked = 0

  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/v1/models') {
      send(response, 200, '{"object":"list","data":[{"id":"replay","object":"model","created":0,"owned_by":"replay"}]}')
      return
    }
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      send(response, 404, '{"error":{"message":"Only /v1/chat/completions and /v1/models are served here."}}')
      return
    }
    const fault = faults[asked] ?? 'ok'
    asked += 1
    const held = options.held?.(asked) ?? null
    readBody(request, body => {
      const reply = () => (fault === 'ok' ? answer(response, body) : fail(response, httpFaults[fault]))
      const wait = delay()
      if (held) void held.then(reply)
      else if (wait > 0) setTimeout(reply, wait)
      else reply()
    })
  })

  const answer = (response: ServerResponse, body: string): void => {
    const chat = parseRequest(body)
    if (chat === null) {
      send(response, 400, '{"error":{"message":"The body is no chat completion request."}}')
      return
    }
    const text = find(chat.messages.findLast(({ role }) => role === 'user')?.content ?? '') ?? fallback
    if (chat.stream) sendEvents(response, completionEvents(chat, text, usage))
    else send(response, 200, completion(chat, text, usage))
  }

  // As a provider: a socket that is closed for idleness as it is used again would fail a call at a slow machine's luck.
  server.keepAliveTimeout = 60_000
  const running = await listen(server, options.port ?? 0)
  return { ...running, baseUrl: `${running.baseUrl}/v1`, requests: () => asked }
}

function delayOf(delayMs: number | (() => number)): () => number {
  return typeof delayMs === 'function' ? delayMs : () => delayMs
}

function readBody(request: IncomingMessage, done: (body: string) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => done(Buffer.concat(chunks).toString()))
}

function parseRequest(body: string): ChatRequest | null {
  try {
    const value: unknown = JSON.parse(body)
    const fits = typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages)
    // Only Assay calls this server; the check above keeps a person's mistake from crashing it.
    return fits ? (value as ChatRequest) : null
  } catch {
    return null
  }
}

function send(response: ServerResponse, status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers })
  response.end(body)
}

function sendEvents(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(event)
  response.end()
}

function fail(response: ServerResponse, fault: HttpFault): void {
  if ('status' in fault) send(response, fault.status, fault.body, fault.headers)
  else if (fault.connection === 'reset') response.socket?.resetAndDestroy()
}
