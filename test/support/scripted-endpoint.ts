import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedEndpoint {
  readonly baseUrl: string
  /** Calls since it was started, or last forgot them. */
  calls(): number
  forget(): void
  close(): Promise<void>
}

/** Answers every chat completion alike, and counts its tokens as the script says. @param usage of a call by its number; null for none */
export async function startScriptedEndpoint(
  usage: (call: number) => object | null,
  { model = 'm', finishReason = 'stop' } = {},
): Promise<ScriptedEndpoint> {
  let calls = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(404).end()
      const stated = usage(calls++)
      const choices = [{ index: 0, message: { role: 'assistant', content: '#### 13' }, finish_reason: finishReason }]
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: 'x', object: 'chat.completion', model, choices, ...(stated ? { usage: stated } : {}) }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls: () => calls,
    forget: () => {
      calls = 0
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
