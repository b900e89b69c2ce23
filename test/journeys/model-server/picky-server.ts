import { createServer, type IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { completion } from './chat-completion.ts'
import { listen, type RunningServer } from './listen.ts'

const Body = z.record(z.string(), z.unknown())

export interface SeenRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: z.infer<typeof Body>
}

/** An error in place of an answer. */
export interface Refusal {
  readonly status: number
  readonly body: unknown
}

export interface PickyServer extends RunningServer {
  /** Model calls so far. */
  readonly seen: readonly SeenRequest[]
}

/** A chat server that decides by the request whether it takes it. @param refuse null: it answers */
export async function startPickyServer(
  refuse: (request: SeenRequest) => Refusal | null,
  answer: (request: SeenRequest) => string = () => 'ready',
): Promise<PickyServer> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const asked = { path: request.url ?? '', headers: request.headers, body: text === '' ? {} : Body.parse(JSON.parse(text)) }
      if (request.method === 'POST') seen.push(asked)
      const refusal = request.method === 'POST' ? refuse(asked) : { status: 404, body: {} }
      response.writeHead(refusal?.status ?? 200, { 'content-type': 'application/json' })
      response.end(refusal ? JSON.stringify(refusal.body) : completion({ model: 'm', messages: [] }, answer(asked), true))
    })
  })
  const running = await listen(server, 0)
  return { ...running, baseUrl: `${running.baseUrl}/v1`, seen }
}

/** What OpenAI says of a parameter that a model does not take. */
export function unsupported(param: string, message = `Unsupported parameter: '${param}' is not supported with this model.`): Refusal {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' } } }
}
