import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../../contract/errors.ts'
import { createBucket, type Rate } from '../auth/index.ts'

/**
 * Connections that have shown no valid credentials yet. Beyond these the oldest of them end, so that a newcomer always gets in: each once
 * it had `graceMs` to say who it is, for a client may well open two hundred at once; or at once beyond `mostStrangersAtOnce`.
 */
const mostStrangers = 128
const mostStrangersAtOnce = 600
const graceMs = 2_000
/** Milliseconds that such a connection is kept open between two requests. */
const strangerKeepAliveMs = 5_000

/** Requests that one connection may have unanswered: browsers and usual clients wait for each answer. */
const mostUnanswered = 4

/** Refusals of strangers that are answered at once; beyond these each waits, so that guessing and floods cost little. */
const quickRefusals: Rate = { burst: 2_000, perSecond: 100 }
const slowRefusalMs = 1_000

/** How many of a kind one key or session may have open; the fewer once there are many in all, so that some are left for the others. */
interface Share {
  readonly usual: number
  readonly many: number
  readonly whenMany: number
}
const connectionShare: Share = { usual: 200, many: 800, whenMany: 16 }
const streamShare: Share = { usual: 100, many: 500, whenMany: 8 }

/** Keeps one client, known or not, from holding every connection. */
export interface ConnectionLimits {
  watch(server: Server, event: 'connection' | 'secureConnection'): void
  /** Notes that the connection's client has shown who it is. @throws ApiError rate_limited when it has too many open already */
  admit(socket: Socket, principalId: string): void
  /** Resolves when a refusal may be sent to the connection: at once to those who showed who they are. */
  refuse(socket: Socket): Promise<void>
  /** Counts an event stream. @returns what to call when it ends @throws ApiError rate_limited when too many are open */
  openStream(principalId: string): () => void
}

/** @param now milliseconds that only grow */
export function createConnectionLimits(now = () => performance.now()): ConnectionLimits {
  /** Each with the time when it came, the oldest first. */
  const strangers = new Map<Socket, number>()
  const known = new Map<Socket, string>()
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>()
  const refusals = createBucket(quickRefusals, now)
  const connections = createCounter('connections', connectionShare)
  const streams = createCounter('event streams', streamShare)

  const release = (socket: Socket) => {
    strangers.delete(socket)
    const principalId = known.get(socket)
    if (principalId === undefined) return
    known.delete(socket)
    connections.give(principalId)
  }
  let next: NodeJS.Timeout | null = null
  const endOldest = () => {
    const at = now()
    for (const [socket, since] of strangers) {
      if (strangers.size <= mostStrangers) return
      const left = since + graceMs - at
      if (left > 0 && strangers.size <= mostStrangersAtOnce) {
        next ??= setTimeout(() => {
          next = null
          endOldest()
        }, left).unref()
        return
      }
      strangers.delete(socket)
      socket.destroy()
    }
  }
  return {
    watch: (server, event) => {
      server.on(event, (socket: Socket) => {
        strangers.set(socket, now())
        socket.once('close', () => release(socket))
        endOldest()
      })
      // Before an answer may be sent, for its head is changed.
      server.prependListener('request', ({ socket }, reply) => {
        const replies = unanswered.get(socket) ?? new Set()
        unanswered.set(socket, replies.add(reply))
        // Node would announce its own time, and a client that relies on that reads a reset.
        if (strangers.has(socket)) reply.setHeader('keep-alive', `timeout=${strangerKeepAliveMs / 1_000}`)
        reply.once('close', () => replies.delete(reply))
        if (replies.size > mostUnanswered) socket.destroy()
        // Node sets its own time when an answer ends, and forgets this one when the next request begins.
        reply.once('finish', () => setImmediate(() => strangers.has(socket) && socket.setTimeout(strangerKeepAliveMs)))
      })
    },
    admit: (socket, principalId) => {
      if (known.get(socket) === principalId) return
      // A request of the service to itself has no connection that would ever close.
      if (!strangers.has(socket) && !known.has(socket)) return
      release(socket)
      connections.take(principalId)
      known.set(socket, principalId)
      // Of requests that were sent without waiting, the first may be answered in part.
      for (const reply of unanswered.get(socket) ?? []) if (!reply.headersSent) reply.removeHeader('keep-alive')
    },
    refuse: async socket => {
      if (strangers.has(socket) && refusals.take() > 0) await new Promise(resolve => setTimeout(resolve, slowRefusalMs).unref())
    },
    openStream: principalId => {
      streams.take(principalId)
      let isOpen = true
      return () => {
        if (isOpen) streams.give(principalId)
        isOpen = false
      }
    },
  }
}

function createCounter(what: string, { usual, many, whenMany }: Share) {
  const counts = new Map<string, number>()
  let total = 0
  return {
    take: (principalId: string) => {
      const count = counts.get(principalId) ?? 0
      const most = total < many ? usual : whenMany
      if (count >= most)
        throw new ApiError(
          'rate_limited',
          `${count} ${what} of this key or session are open, and ${most} may be. Close some and try again.`,
          {
            headers: { 'retry-after': '1', connection: 'close' },
          },
        )
      counts.set(principalId, count + 1)
      total++
    },
    give: (principalId: string) => {
      const count = (counts.get(principalId) ?? 1) - 1
      if (count === 0) counts.delete(principalId)
      else counts.set(principalId, count)
      total--
    },
  }
}
