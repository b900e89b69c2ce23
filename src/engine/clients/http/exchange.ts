import type { IncomingHttpHeaders } from 'node:http'
import type { Writable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { TrafficMeter } from '../traffic.ts'
import { failedWhileReused } from './connector.ts'
import type { OriginPool } from './open-pool.ts'

/** How an exchange came to its end. `enough`: its reader needed no more. */
export type Ending =
  | { readonly how: 'complete' | 'enough' | 'cancelled' | 'too_large' | 'out_of_time' }
  | { readonly how: 'failed'; readonly error: Error }

/** One request and what came back of it, whole or in part. */
export interface Exchange {
  readonly ending: Ending
  /** Whether any of the request was written. */
  readonly sent: boolean
  /** Null: no head of a response arrived. */
  readonly status: number | null
  readonly headers: IncomingHttpHeaders
  /** As it came, still encoded; empty where it went elsewhere. */
  readonly body: Buffer
  /** Milliseconds from sending to the end. */
  readonly latencyMs: number
}

/** `ending`: what matters is there, but more may follow at once. `done`: nothing that follows matters. */
export type ReadProgress = 'more' | 'ending' | 'done'

/** Sees the body as it arrives. */
export type ChunkReader = (chunk: Uint8Array) => ReadProgress

export interface ExchangeOptions {
  readonly signal: AbortSignal
  /** Milliseconds for everything, from the call to the last byte. */
  readonly deadlineMs: number
  /** Most bytes of a body; what comes after is not read. */
  readonly maxBodyBytes: number
  /** Asked when a head arrives; null where the body is only to be kept. */
  readonly readerFor: (status: number, headers: IncomingHttpHeaders) => ChunkReader | null
  /** Where the body of a success goes instead of into memory; it is waited for, and never ended here. Null keeps the body. */
  readonly sinkFor?: (status: number, headers: IncomingHttpHeaders) => Writable | null
  /** Counts what went over the wire. */
  readonly traffic?: TrafficMeter | undefined
}

/** The body of an error matters only for what it says at the start; that of a redirect not at all. */
const maxErrorBodyBytes = 64 * 1024

/** After its answer a server has this many milliseconds to end the response, so that the connection can be used again. */
const lingerMs = 1_000

/** Once an answer is ending, this many milliseconds for what belongs to it, such as token counts: some servers never end the response. */
const endingMs = 2_000

/** A timer this late did not run out by itself: the machine slept, or the process was stopped. */
const sleptMs = 2_000

/** For what arrived during that sleep to be read. */
const graceMs = 5_000

/** Sends one request. Resolves at the first of: the end, a stop by the reader, the deadline, the abort, a failure. Never rejects. */
export function exchange(dispatcher: OriginPool, request: Dispatcher.DispatchOptions, options: ExchangeOptions): Promise<Exchange> {
  return new Promise(resolve => new PendingExchange(dispatcher, request, options, resolve).dispatch())
}

class PendingExchange implements Dispatcher.DispatchHandler {
  readonly #dispatcher: OriginPool
  readonly #request: Dispatcher.DispatchOptions
  readonly #options: ExchangeOptions
  readonly #resolve: (exchange: Exchange) => void
  readonly #onAbort = () => this.#settle({ how: 'cancelled' })
  readonly #chunks: Buffer[] = []
  #timer: NodeJS.Timeout | undefined
  #dueAt = 0
  #controller: Dispatcher.DispatchController | null = null
  #reader: ChunkReader | null = null
  #sink: Writable | null = null
  #received = 0
  #status: number | null = null
  #headers: IncomingHttpHeaders = {}
  #room: number
  #startedAt = performance.now()
  #isEnding = false
  #lastByteAt: number | null = null
  #settled = false
  #sentAgain = false

  constructor(
    dispatcher: OriginPool,
    request: Dispatcher.DispatchOptions,
    options: ExchangeOptions,
    resolve: (exchange: Exchange) => void,
  ) {
    this.#dispatcher = dispatcher
    this.#request = request
    this.#options = options
    this.#resolve = resolve
    this.#room = options.maxBodyBytes
  }

  dispatch(): void {
    this.#await(this.#options.deadlineMs)
    this.#options.signal.addEventListener('abort', this.#onAbort)
    this.#dispatcher.dispatch(this.#request, this)
  }

  #await(ms: number): void {
    this.#dueAt = performance.now() + ms
    this.#timer = setTimeout(() => {
      if (performance.now() - this.#dueAt > sleptMs) this.#await(Math.min(graceMs, this.#options.deadlineMs))
      else this.#settle({ how: 'out_of_time' })
    }, ms)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) {
      controller.abort(new Error('No longer wanted.'))
      return
    }
    this.#controller = controller
    this.#startedAt = performance.now()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#settled || status < 200) return
    this.#status = status
    this.#headers = headers
    if (status >= 300) this.#room = Math.min(this.#room, maxErrorBodyBytes)
    if (status >= 300 && status < 400) this.#settle({ how: 'enough' })
    this.#reader = this.#options.readerFor(status, headers)
    this.#sink = status < 300 ? (this.#options.sinkFor?.(status, headers) ?? null) : null
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    if (chunk.length > this.#room) {
      this.#keep(controller, chunk.subarray(0, this.#room))
      this.#settle({ how: 'too_large' })
      return
    }
    this.#room -= chunk.length
    this.#keep(controller, chunk)
    const progress = this.#reader?.(chunk) ?? 'more'
    if (progress === 'ending') this.#end()
    if (progress !== 'done') return
    this.#lastByteAt = null
    this.#settle({ how: 'enough' })
  }

  /** The server's silence after its last byte is none of the answer's latency. */
  #end(): void {
    this.#lastByteAt = performance.now()
    if (this.#isEnding) return
    this.#isEnding = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#settle({ how: 'enough' }), endingMs)
  }

  #keep(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length
    if (!this.#sink) this.#chunks.push(chunk)
    else if (!this.#sink.write(chunk)) {
      controller.pause()
      this.#sink.once('drain', () => controller.resume())
    }
  }

  onResponseEnd(): void {
    if (this.#settled) clearTimeout(this.#timer)
    else this.#settle({ how: 'complete' })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) {
      clearTimeout(this.#timer)
      return
    }
    // Once more at most: the server closed the kept-alive connection just as it was used. With a body, the server may have read it and begun
    // work that is billed, so that only the caller, who records each call, may repeat it.
    if (this.#status === null && !this.#sentAgain && this.#request.body == null && failedWhileReused(error)) {
      this.#sentAgain = true
      this.#count()
      this.#dispatcher.dispatch(this.#request, this)
      return
    }
    this.#settle({ how: 'failed', error })
  }

  #count(): void {
    const { origin, proxy } = this.#dispatcher
    this.#options.traffic?.(origin, bodyBytes(this.#request.body), this.#received, proxy)
  }

  #settle(ending: Ending): void {
    if (this.#settled) return
    this.#settled = true
    const latencyMs = (this.#lastByteAt ?? performance.now()) - this.#startedAt
    clearTimeout(this.#timer)
    this.#options.signal.removeEventListener('abort', this.#onAbort)
    const abandon = () => this.#controller?.abort(new Error('No longer wanted.'))
    if (ending.how === 'enough') this.#timer = setTimeout(abandon, lingerMs)
    else if (ending.how !== 'complete') abandon()
    const [first] = this.#chunks
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks)
    const sent = this.#controller !== null
    if (sent) this.#count()
    this.#resolve({ ending, sent, status: this.#status, headers: this.#headers, body, latencyMs })
  }
}

/** Bodies are made whole before they are sent; anything else counts as nothing. */
function bodyBytes(body: Dispatcher.DispatchOptions['body']): number {
  return typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0
}
