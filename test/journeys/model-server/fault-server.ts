import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { listen, type RunningServer } from './listen.ts'

/** One thing that happens on the wire. After the last step the connection stays open and silent. */
export type WireStep =
  | { readonly send: string | Uint8Array }
  | { readonly waitMs: number }
  /** Over and over until the client leaves: every so many milliseconds, or with 0 as fast as it reads. */
  | { readonly repeat: string | Uint8Array; readonly everyMs: number }
  /** Ends this side and goes on reading. */
  | 'fin'
  | 'reset'

export type WireScript = readonly WireStep[]

export interface FaultServer extends RunningServer {
  /** Whole requests that arrived so far. */
  requests(): number
  /** Connections that were opened so far. */
  connections(): number
  /** Raw text of the requests, head and body. */
  received(): readonly string[]
  /** Resolves once the nth request, from 0, is there. */
  arrived(request: number): Promise<void>
  /** Resolves once the client has left the nth connection, from 0. */
  left(connection: number): Promise<void>
}

/** A server that says exactly these bytes, right or wrong, to each request. A function gives the script of the nth request, from 0. */
export async function startFaultServer(script: WireScript | ((request: number) => WireScript)): Promise<FaultServer> {
  const scriptFor = typeof script === 'function' ? script : () => script
  const received: string[] = []
  const arrivals = momentsByNumber()
  const departures = momentsByNumber()
  let opened = 0

  const server = createServer({ allowHalfOpen: true }, socket => {
    const { resolve: leave } = departures(opened)
    opened += 1
    let pending = ''
    socket.setEncoding('latin1')
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.end())
    socket.on('close', () => leave())
    socket.on('data', (text: string) => {
      pending += text
      const length = requestLength(pending)
      if (length === null || pending.length < length) return
      const steps = scriptFor(received.length)
      arrivals(received.length).resolve()
      received.push(pending.slice(0, length))
      pending = pending.slice(length)
      void play(socket, steps)
    })
  })

  const running = await listen(server, 0)
  return {
    ...running,
    baseUrl: `${running.baseUrl}/v1`,
    requests: () => received.length,
    connections: () => opened,
    received: () => received,
    arrived: request => arrivals(request).promise,
    left: connection => departures(connection).promise,
  }
}

/** Things that happen once each and may be waited for before or after. */
function momentsByNumber(): (number: number) => PromiseWithResolvers<void> {
  const moments: PromiseWithResolvers<void>[] = []
  return number => (moments[number] ??= Promise.withResolvers<void>())
}

/** A whole response, its length declared unless the headers say otherwise. */
export function httpResponse(status: number, headers: Readonly<Record<string, string>>, body: string | Uint8Array): Buffer {
  const bytes = Buffer.from(body)
  const declared =
    'transfer-encoding' in headers || 'content-length' in headers ? headers : { ...headers, 'content-length': String(bytes.length) }
  return Buffer.concat([Buffer.from(httpHead(status, declared)), bytes])
}

export function httpHead(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n`
}

/** Characters of the first request in the text, once its head is there. */
function requestLength(text: string): number | null {
  const head = text.indexOf('\r\n\r\n')
  if (head === -1) return null
  const body = /^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? '0'
  return head + 4 + Number(body)
}

async function play(socket: Socket, steps: WireScript): Promise<void> {
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  try {
    for (const step of steps) {
      if (step === 'fin') socket.end()
      else if (step === 'reset') socket.resetAndDestroy()
      else if ('send' in step) socket.write(step.send)
      else if ('waitMs' in step) await setTimeout(step.waitMs, undefined, { signal: gone.signal })
      else await repeat(socket, step.repeat, step.everyMs, gone.signal)
    }
  } catch (error) {
    // A client that leaves in the middle is what the script is for.
    if (!socket.destroyed) throw error
  }
}

async function repeat(socket: Socket, bytes: string | Uint8Array, everyMs: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const hasRoom = socket.write(bytes)
    if (everyMs > 0) await setTimeout(everyMs, undefined, { signal })
    else if (!hasRoom) await once(socket, 'drain', { signal })
  }
}
