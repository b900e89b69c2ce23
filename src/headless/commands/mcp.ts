import { once } from 'node:events'
import type { Command } from 'commander'
import { type Finish, onService } from '../client/session.ts'
import { exitCodes } from '../exit-codes.ts'

/** `assay mcp`: the tools of `/mcp` on standard input and output, with the key of `service.json`. */
export function addMcp(program: Command, finish: Finish): void {
  program
    .command('mcp')
    .description('serve the Model Context Protocol on standard input and output, for agents that start their tools as programs')
    .action(
      onService(finish, async ({ client }) => {
        // Loaded only here: no other command needs the protocol.
        const [{ serveStdio, StdioServerTransport }, { createMcpServer }] = await Promise.all([
          import('@modelcontextprotocol/server/stdio'),
          import('../../service/mcp/index.ts'),
        ])
        const assay = {
          call: client.call,
          pageUrl: client.pageUrl,
          send: async (path: string, request?: { readonly form: FormData }) =>
            (await client.send(path, request ? { method: 'POST', body: request.form } : {})).text(),
        }
        const whoCalls = async () => {
          const { principal: kind, name, scopes } = await client.call('getMe', {})
          return { kind, name, scopes }
        }
        const served = serveStdio(() => createMcpServer(assay, whoCalls), { transport: new StdioServerTransport() })
        await once(process.stdin, 'close')
        await served.close()
        return exitCodes.passed
      }),
    )
}
