import type { Dispatcher } from 'undici'
import type { AddressPolicy } from '../address-policy.ts'
import { exchange } from '../http/exchange.ts'
import { networkFault } from '../http/network-fault.ts'
import { openPool } from '../http/open-pool.ts'
import { parseRetryAfter } from '../http/retry-after.ts'
import { signatureHeaders } from '../remote-scorers/sign-request.ts'
import type { TrafficMeter } from '../traffic.ts'

interface WebhookRequest {
  readonly url: URL
  /** The same for every try. */
  readonly id: string
  /** JSON, as it is signed and sent. */
  readonly body: string
  /** The current secret first; an old one that still signs after it. */
  readonly secrets: readonly string[]
  readonly addressPolicy: AddressPolicy
  readonly now: () => number
  readonly traffic?: TrafficMeter
  readonly signal: AbortSignal
}

export interface WebhookTry {
  /** Null: nothing answered. */
  readonly httpStatus: number | null
  /** Why it was not taken; null where it was. */
  readonly problem: string | null
  /** The other end wants nothing more (410). */
  readonly isGone: boolean
  /** Milliseconds that the other end asked to wait; null where it did not. */
  readonly retryAfterMs: number | null
}

/** Milliseconds for one try. */
const deadlineMs = 15_000
const mostBytes = 64 * 1024

/** One signed try of Standard Webhooks 1.0; any status from 200 to 299 means that it was taken. Redirects are not followed. */
export async function sendWebhook({ url, id, body, secrets, addressPolicy, now, traffic, signal }: WebhookRequest): Promise<WebhookTry> {
  const refusal = addressPolicy.refusal(url)
  if (refusal !== null) return failed(null, refusal)
  const request: Dispatcher.DispatchOptions = {
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers: {
      'content-type': 'application/json',
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Assay',
      ...signatureHeaders({ id, timestamp: Math.floor(now() / 1000), body }, secrets),
    },
    body,
  }
  const pool = openPool(url, { addressPolicy, connections: 1, headersTimeout: 0, bodyTimeout: 0 })
  try {
    const { ending, status, headers } = await exchange(pool, request, {
      signal,
      deadlineMs,
      maxBodyBytes: mostBytes,
      traffic,
      readerFor: () => null,
    })
    if (ending.how === 'cancelled') return failed(status, 'The service was stopped during the request.')
    if (status === null) {
      if (ending.how === 'failed') return failed(null, networkFault(ending.error, url.origin).message)
      return failed(null, `${url.origin} did not answer within ${deadlineMs / 1000} s.`)
    }
    if (status >= 200 && status < 300) return { httpStatus: status, problem: null, isGone: false, retryAfterMs: null }
    const problem =
      status >= 300 && status < 400
        ? `HTTP ${status}: redirects are never followed. Enter the address that it redirects to.`
        : `${url.origin} answered HTTP ${status}.`
    return { httpStatus: status, problem, isGone: status === 410, retryAfterMs: parseRetryAfter(headers, now()) ?? null }
  } finally {
    await pool.destroy()
  }
}

function failed(httpStatus: number | null, problem: string): WebhookTry {
  return { httpStatus, problem, isGone: false, retryAfterMs: null }
}
