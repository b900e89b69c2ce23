import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import { authenticate, chooseWorkspace, scopesIn } from '../auth/index.ts'
import { callInProcess } from '../http/in-process.ts'
import type { Kernel } from '../kernel.ts'
import { createMcpServer } from './mcp-server.ts'

/** Headers of a client's request that its tool calls repeat. */
const repeated = ['authorization', 'x-workspace-id', 'host', 'user-agent'] as const

/** Answers requests of the protocol; each tool call is a request of the ordinary interface. */
export function mcpHandler(http: FastifyInstance, kernel: Kernel): ReturnType<typeof createMcpHandler> {
  return createMcpHandler(
    ({ requestInfo }) => {
      const headers = Object.fromEntries(
        repeated.flatMap(name => [[name, requestInfo?.headers.get(name) ?? '']]).filter(([, value]) => value),
      )
      const assay = { ...callInProcess(http, headers), pageUrl: (path: string) => kernel.accessPolicy().publicUrl + path }
      return createMcpServer(assay, async () => {
        const principal = authenticate(kernel, { authorization: [headers['authorization'] ?? ''], cookie: undefined })
        const { kind, name } = principal
        return { kind, name, scopes: scopesIn(principal, chooseWorkspace(principal, headers['x-workspace-id'])) }
      })
    },
    { onerror: error => kernel.log.debug({ err: error }, 'MCP request refused') },
  )
}
