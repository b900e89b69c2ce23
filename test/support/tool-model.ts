import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const Body = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.string().nullable().default(''),
      tool_calls: z.array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) })).default([]),
    }),
  ),
})
export type Heard = z.infer<typeof Body>['messages']

/** What a scripted model says: tools that it uses, or its answer. */
export type Says =
  | { readonly use: readonly (readonly [name: string, given: Readonly<Record<string, unknown>>])[] }
  | { readonly say: string }

export interface ToolModel {
  readonly baseUrl: string
  calls(): number
  close(): Promise<void>
}

/** The check of a connection asks whether its model uses tools. */
function isProbe([first]: Heard): boolean {
  return first?.content?.includes('report the color') ?? false
}

/** An OpenAI-compatible server whose model plays by a script over the conversation so far. */
export async function startToolModel(script: (messages: Heard) => Says): Promise<ToolModel> {
  let calls = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(404).end()
      calls++
      const { messages } = Body.parse(JSON.parse(Buffer.concat(parts).toString()))
      const said = isProbe(messages) ? { use: [['report_color', { color: 'blue' }] as const] } : script(messages)
      const message =
        'say' in said
          ? { role: 'assistant', content: said.say }
          : {
              role: 'assistant',
              content: null,
              tool_calls: said.use.map(([name, given], i) => ({
                id: `call${calls}x${i}`,
                type: 'function',
                function: { name, arguments: JSON.stringify(given) },
              })),
            }
      const body = {
        id: 'x',
        object: 'chat.completion',
        model: 'scripted',
        choices: [{ index: 0, message, finish_reason: 'say' in said ? 'stop' : 'tool_calls' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls: () => calls,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
