import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

export interface ScriptedReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ScriptedServer {
  readonly url: string
  readonly requests: ScriptedRequest[]
  /** Sees every reply of status 200. */
  onReply: (request: ScriptedRequest, reply: ScriptedReply) => void
  /** Asked before the script: a reply of its own, or null. */
  intercept: (request: ScriptedRequest) => ScriptedReply | null
  close(): Promise<void>
}

/** An HTTP server that answers JSON by a script. */
export async function scriptedServer(answer: (request: ScriptedRequest) => ScriptedReply): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://provider.test')
      const text = Buffer.concat(chunks).toString()
      const parsed: unknown = text === '' ? {} : JSON.parse(text)
      const request: ScriptedRequest = {
        method: incoming.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: typeof parsed === 'object' && parsed !== null ? { ...parsed } : {},
      }
      requests.push(request)
      const reply = scripted.intercept(request) ?? answer(request)
      if (reply.status === 200) scripted.onReply(request, reply)
      const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
      outgoing.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(body)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server that listens has one
  const scripted: ScriptedServer = {
    url: `http://127.0.0.1:${port}`,
    requests,
    onReply: () => {},
    intercept: () => null,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return scripted
}

/** A conversation as any of the providers has it: a root span with model calls below it. */
export interface FakeTrace {
  readonly id: string
  readonly startedAt: number
  readonly question: string
  readonly answer: string
  readonly calls: number
  readonly failed: boolean
  /** Milliseconds by which its last call begins after the root ended. */
  readonly lateMs?: number
}

/** A dataset item of any provider. */
export interface FakeItem {
  readonly id: string
  readonly question: string
  readonly answer: string
  readonly output?: string
  readonly archived?: boolean
}

/** UUIDs that are the same in every run. */
export function fixedUuid(kind: number, index: number): string {
  return `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
}

/** @param from milliseconds since 1970 of the first; one starts every second */
export function fakeTraces(count: number, from: number, calls = 2): FakeTrace[] {
  return Array.from({ length: count }, (_, i) => ({
    id: fixedUuid(1, i),
    startedAt: from + i * 1000,
    question: `What is ${i} + ${i}?`,
    answer: `It is ${i * 2}.`,
    calls,
    failed: i % 10 === 9,
  }))
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}
