import type { FastifyInstance } from 'fastify'
import type { ServiceConfig } from '../config.ts'

const attempts = 20

/** Listens on the IPv4 loopback address, and on another only where the configuration lets other machines in; answers the port. */
export async function listen(http: FastifyInstance, config: ServiceConfig): Promise<number> {
  for (let i = 0; ; i++) {
    const port = config.port === 0 ? 0 : config.port + i
    try {
      await http.listen({ host: config.remote?.host ?? '127.0.0.1', port })
      const address = http.server.address()
      if (typeof address === 'object' && address !== null) return address.port
      throw new Error('The server has no address.')
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!taken) throw error
      if (!config.portMayMove || i + 1 >= attempts)
        throw new Error(`Port ${port} is taken by another program. Choose another with --port N, or --port 0 for any free one.`, {
          cause: error,
        })
    }
  }
}
