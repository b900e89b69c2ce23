import type { AddressInfo, Server, Socket } from 'node:net'

export interface RunningServer {
  readonly baseUrl: string
  /** Cuts what is open and stops. */
  close(): Promise<void>
}

/** Listens on 127.0.0.1 and nowhere else. */
export async function listen(server: Server, port: number): Promise<RunningServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  // A server that listens on a port has this kind of address, not a path.
  const { port: taken } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
