import { once } from 'node:events'
import type { Command } from 'commander'
import { type Finish, onService } from '../client/session.ts'
import { failureReason } from '../describe-failure.ts'
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
        const transport = new StdioServerTransport()
        const ended = Promise.withResolvers<void>()
        // It also ends by itself, at a message that is too long, and then reads no further.
        const close = transport.close.bind(transport)
        transport.close = () => close().then(ended.resolve)
        const last: { fault?: Error } = {}
        const served = serveStdio(() => createMcpServer(assay, whoCalls), {
          transport,
          onerror: error => {
            last.fault = error
          },
        })
        await Promise.race([ended.promise, once(process.stdin, 'close')])
        const isOver = process.stdin.readableEnded || process.stdin.destroyed
        await served.close()
        if (!isOver && last.fault)
          throw new Error(
            `A message of the client has more than 10 MB, or the client is gone (${failureReason(last.fault)}). Start "assay mcp" again.`,
          )
        return exitCodes.passed
      }),
    )
}
