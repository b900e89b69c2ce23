import { once } from 'node:events'
import { connect, createServer as createPlainServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** A link to a server of this machine that can go down as a cable does: nothing is refused, nothing arrives. */
export interface SilentLink {
  readonly port: number
  down(): void
  up(): void
  close(): void
}

/** @param tls what the near end speaks TLS with; plain where absent */
export async function openLink(target: () => number, tls?: { readonly cert: string; readonly key: string }): Promise<SilentLink> {
  const sockets = new Set<Socket>()
  let isDown = false
  const carry = (near: Socket) => {
    const far = connect(target(), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', chunk => to.write(chunk))
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isDown) from.pause()
    }
  }
  const server: Server = tls ? createTlsServer(tls, carry) : createPlainServer(carry)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The link has no port.')
  return {
    port: address.port,
    down: () => {
      isDown = true
      for (const socket of sockets) socket.pause()
    },
    up: () => {
      isDown = false
      for (const socket of sockets) socket.resume()
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
