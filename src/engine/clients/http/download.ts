import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'
import { type Duplex, PassThrough, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import errors from 'undici/lib/core/errors.js'
import type { AddressPolicy } from '../address-policy.ts'
import type { TrafficMeter } from '../traffic.ts'
import { openPool } from './open-pool.ts'
import { type Exchange, exchange } from './exchange.ts'
import { networkFault } from './network-fault.ts'
import { parseRetryAfter } from './retry-after.ts'

export interface DownloadSettings {
  readonly addressPolicy: AddressPolicy
  /** Hosts beside the address's own that it may send on to. */
  readonly redirectHosts: readonly string[]
  /** Most bytes, of what comes over the wire and of what that unpacks to. */
  readonly maxBytes: number
  /** Milliseconds for everything. */
  readonly deadlineMs: number
  /** Milliseconds without a byte. */
  readonly idleTimeoutMs: number
  readonly signal: AbortSignal
  readonly onProgress: (received: number, total: number | null) => void
  readonly traffic?: TrafficMeter
  readonly lookup?: LookupFunction
  /** The address that is fetched: a mirror's where one is configured for the host, else the address itself. */
  readonly locate?: (url: URL) => URL
}

/** What became of a download. `why` is for people and ends without advice on what to do instead. */
export type Downloaded = { readonly ok: true; readonly bytes: number; readonly sha256: string } | DownloadFailure

export interface DownloadFailure {
  readonly ok: false
  readonly why: string
  /** That came nevertheless, or what they unpacked to where that is more. */
  readonly bytes: number
  /** Milliseconds after which another try may succeed, as far as the server says; null: none would. */
  readonly waitMs: number | null
}

const mostRedirects = 3

/** Encodings that servers apply although `identity` was requested. */
const decoders: Readonly<Record<string, () => Duplex>> = {
  '': () => new PassThrough(),
  identity: () => new PassThrough(),
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/**
 * Fetches one file to the disk, from exactly this address and the hosts that it may send on to.
 * @param path of the file that is made, and removed again where the download fails
 * @throws Error of the system where the file cannot be written: the address is not to blame
 */
export async function download(address: string, path: string, settings: DownloadSettings): Promise<Downloaded> {
  const deadline = performance.now() + settings.deadlineMs
  const hosts = [new URL(address).host, ...settings.redirectHosts]
  let url = new URL(address)
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const step = await ask(url, path, { ...settings, deadlineMs: Math.max(1, deadline - performance.now()) })
    if (!('location' in step)) return step
    const next = URL.parse(step.location, url.href)
    if (!next) return failed(`${url.host} redirects to an invalid address.`)
    if ((next.protocol !== 'https:' && next.protocol !== url.protocol) || !hosts.includes(next.host))
      return failed(`${url.host} redirects to ${next.origin}, which was not named, so it was not followed.`)
    url = next
  }
  return failed(`${url.host} redirects more than ${mostRedirects} times.`)
}

function failed(why: string, waitMs: number | null = null, bytes = 0): DownloadFailure {
  return { ok: false, why, bytes, waitMs }
}

async function ask(url: URL, path: string, settings: DownloadSettings): Promise<Downloaded | { readonly location: string }> {
  const target = settings.locate?.(url) ?? url
  const refusal = settings.addressPolicy.refusal(target)
  if (refusal !== null) return failed(refusal)
  const pool = openPool(target, {
    addressPolicy: settings.addressPolicy,
    connections: 1,
    lookup: settings.lookup,
    headersTimeout: settings.idleTimeoutMs,
    bodyTimeout: settings.idleTimeoutMs,
  })
  const stop = new AbortController()
  let writing: Writing | null = null
  let received = 0
  try {
    const finished = await exchange(
      pool,
      {
        method: 'GET',
        path: `${target.pathname}${target.search}`,
        headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Assay' },
      },
      {
        signal: AbortSignal.any([settings.signal, stop.signal]),
        deadlineMs: settings.deadlineMs,
        maxBodyBytes: settings.maxBytes,
        traffic: settings.traffic,
        readerFor: (_status, headers) => {
          const total = lengthOf(headers)
          settings.onProgress(received, total)
          return chunk => {
            received += chunk.length
            settings.onProgress(received, total)
            return 'more'
          }
        },
        sinkFor: (_status, headers) => {
          writing = beginWriting(path, headers, settings.maxBytes, () => stop.abort())
          return writing.input
        },
      },
    )
    const result = await conclude(url, finished, writing, settings)
    return 'ok' in result && !result.ok ? { ...result, bytes: Math.max(result.bytes, received) } : result
  } finally {
    await pool.destroy()
  }
}

interface Writing {
  readonly input: Writable
  /** Rejects where the file cannot be written. */
  readonly done: Promise<Downloaded>
}

/** @param giveUp called when the rest of the body is of no use */
function beginWriting(path: string, headers: IncomingHttpHeaders, maxBytes: number, giveUp: () => void): Writing {
  const hash = createHash('sha256')
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      done(bytes > maxBytes ? new TooLargeError(maxBytes) : null, chunk)
    },
  })
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  const decoder = decoders[encoding]
  const input = decoder?.() ?? new PassThrough()
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const closed = new Promise<void>(resolve => file.once('close', resolve))
  const done = pipeline(input, meter, file).then(
    (): Downloaded => ({ ok: true, bytes, sha256: hash.digest('hex') }),
    async (error: Error): Promise<Downloaded> => {
      giveUp()
      await closed
      // What was there before is not this download's to remove.
      if (!('code' in error && error.code === 'EEXIST')) await rm(path, { force: true })
      // Only the system's own errors name a call.
      if ('syscall' in error) throw error
      return failed(error.message, null, bytes)
    },
  )
  // Whoever waits for it does so later.
  done.catch(() => {})
  const announced = lengthOf(headers) ?? 0
  if (!decoder) input.destroy(new Error(`The answer is encoded as "${encoding.slice(0, 40)}", which cannot be undone.`))
  else if (announced > maxBytes) input.destroy(new TooLargeError(maxBytes))
  return { input, done }
}

class TooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes.`)
  }
}

async function conclude(
  url: URL,
  { ending, status, headers }: Exchange,
  writing: Writing | null,
  { signal, deadlineMs, idleTimeoutMs, maxBytes }: DownloadSettings,
): Promise<Downloaded | { readonly location: string }> {
  const { host, origin } = url
  const isWhole = status === 200 && ending.how === 'complete'
  const interruption = interruptionOf()
  const waitMs = mayPass() && !signal.aborted ? (parseRetryAfter(headers, Date.now()) ?? 0) : null
  if (writing) {
    if (isWhole) writing.input.end()
    else writing.input.destroy(new Error(interruption))
    const result = await writing.done
    return result.ok || result.why !== interruption ? result : { ...result, waitMs }
  }
  if (status !== null && status >= 300 && status < 400) return { location: headers.location ?? '' }
  return failed(interruption, waitMs)

  function mayPass(): boolean {
    if (status !== null && status !== 200) return status === 429 || status >= 500
    if (ending.how === 'failed') return status !== null || networkFault(ending.error, origin).code === 'unreachable'
    return ending.how === 'out_of_time'
  }

  function interruptionOf(): string {
    if (signal.aborted) return 'It was stopped.'
    if (ending.how === 'too_large' && status !== null && status < 300) return new TooLargeError(maxBytes).message
    if (ending.how === 'out_of_time') return `${host} did not finish within ${Math.round(deadlineMs / 1000)} s.`
    if (ending.how === 'failed' && ending.error instanceof errors.BodyTimeoutError)
      return `${host} sent nothing more for ${idleTimeoutMs / 1000} s.`
    if (ending.how === 'failed' && status !== null) return `${host} broke off in the middle: ${ending.error.message}.`
    if (ending.how === 'failed') {
      const { code, message } = networkFault(ending.error, origin)
      return code === 'unreachable' ? `Could not reach ${host}: ${message}` : message
    }
    return status === 404 || status === 410 ? `${host} no longer has this file (HTTP ${status}).` : `${host} answered HTTP ${status}.`
  }
}

function lengthOf(headers: IncomingHttpHeaders): number | null {
  const length = headers['content-length']
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null
}
