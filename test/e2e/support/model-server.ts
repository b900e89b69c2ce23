import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelServer {
  /** Up to and including the version part. */
  readonly baseUrl: string
  /** The Authorization header of each call. */
  readonly keys: (string | undefined)[]
  close(): Promise<void>
}

/** A tiny endpoint that speaks the OpenAI chat protocol and always answers "ok": the outside world of these tests. */
export async function startModelServer(): Promise<ModelServer> {
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json')
      if (request.url === '/v1/models') {
        response.end(JSON.stringify({ object: 'list', data: [{ id: 'tiny', max_model_len: 4096 }, { id: 'tiny-2' }] }))
        return
      }
      response.end(
        JSON.stringify({
          id: 'chatcmpl-1',
          object: 'chat.completion',
          created: 1_700_000_000,
          model: 'tiny',
          choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
        }),
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keys,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
