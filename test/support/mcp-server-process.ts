import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/** An MCP server over stdio with a tool that answers differently each time it is called, so that a replay is told from a call. */
let calls = 0
const server = new McpServer({ name: 'stock', version: '1' })
server.registerTool('stock_of', { inputSchema: z.looseObject({ item: z.string() }) }, ({ item }) => {
  calls++
  if (item === 'none') return { content: [{ type: 'text', text: 'no such item' }], isError: true }
  return { content: [{ type: 'text', text: `${item}: ${calls} left, counted by ada@corp.test` }] }
})
serveStdio(() => server, { transport: new StdioServerTransport() })
