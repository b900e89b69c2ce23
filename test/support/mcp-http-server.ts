import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** An MCP server over streamable HTTP with a tool `note_of`; everything below `/moved` is redirected to it. */
export async function startMcpServer(answer: (about: string) => string) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'notes', version: '1' })
    server.registerTool('note_of', { inputSchema: z.looseObject({ about: z.string() }) }, ({ about }) => ({
      content: [{ type: 'text', text: answer(about) }],
    }))
    return server
  })
  let redirected = 0
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const reply = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? 'GET',
        headers: new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
        ...(body !== '' && { body }),
      }),
    )
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text())
  }
  const http = createServer((request, response) => {
    if (request.url?.startsWith('/moved')) {
      redirected++
      response.writeHead(307, { location: '/mcp' }).end()
    } else void serve(request, response)
  })
  await new Promise<void>(listening => http.listen(0, '127.0.0.1', listening))
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    movedUrl: `http://127.0.0.1:${port}/moved`,
    redirected: () => redirected,
    close: async () => {
      await handler.close()
      http.closeAllConnections()
      await new Promise<void>(closed => http.close(() => closed()))
    },
  }
}
