import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A proxy could not be reached, or let the call through to nowhere. Its message is for people. */
export class ProxyError extends Error {}

/** Most bytes of a proxy's answer. */
const longestHead = 16_384

/** Milliseconds for the connection to the proxy and its answer. */
const tunnelTimeoutMs = 20_000

/** The header that a proxy with a password wants. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** A socket to the proxy itself. */
export function connectToProxy(proxy: URL): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const host = proxy.hostname.replace(/^\[(.*)\]$/, '$1')
  const isTls = proxy.protocol === 'https:'
  const port = proxy.port === '' ? (isTls ? 443 : 80) : Number(proxy.port)
  const socket = isTls ? connectTls({ host, port, servername: host, ALPNProtocols: ['http/1.1'] }) : connectPlain({ host, port })
  const fail = (cause: Error) => {
    socket.destroy()
    reject(
      new ProxyError(
        `The proxy ${proxy.origin} could not be reached (${'code' in cause ? String(cause.code) : cause.message}). Check the proxy in the settings, HTTPS_PROXY, HTTP_PROXY or --proxy.`,
      ),
    )
  }
  socket.setTimeout(tunnelTimeoutMs, () => fail(new Error('no answer within 20 s')))
  socket.once('error', fail)
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    socket.setTimeout(0)
    socket.off('error', fail)
    resolve(socket)
  })
  return promise
}

/** A socket through the proxy to a host, as if it were connected to it. @throws ProxyError */
export async function openTunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  const socket = await connectToProxy(proxy)
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const authority = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
  let head = ''
  const end = (reason: string) => {
    socket.destroy()
    reject(
      new ProxyError(
        `The proxy ${proxy.origin} did not connect to ${authority}: ${reason}. Check the proxy, or add the host to its exceptions (NO_PROXY).`,
      ),
    )
  }
  const onError = (cause: Error) => end(cause.message)
  const onClose = () => end('it closed the connection')
  const onData = (chunk: Buffer) => {
    head += chunk.toString('latin1')
    const length = head.indexOf('\r\n\r\n')
    if (length < 0) {
      if (head.length > longestHead) end('its answer has no end')
      return
    }
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
    if (status === undefined || !status.startsWith('2')) {
      end(
        status === '407'
          ? 'it requires a user name and password (HTTP 407)'
          : status === undefined
            ? 'it does not speak HTTP'
            : `HTTP ${status}`,
      )
      return
    }
    socket.off('data', onData).off('error', onError).off('close', onClose)
    socket.setTimeout(0)
    socket.pause()
    const rest = Buffer.from(head.slice(length + 4), 'latin1')
    if (rest.length > 0) socket.unshift(rest)
    resolve(socket)
  }
  socket.setTimeout(tunnelTimeoutMs, () => end('no answer within 20 s'))
  socket.on('data', onData).on('error', onError).on('close', onClose)
  const headers = Object.entries({ host: authority, ...proxyAuthorization(proxy) }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`CONNECT ${authority} HTTP/1.1\r\n${headers.join('')}\r\n`)
  return promise
}
