import type { LookupFunction } from 'node:net'
import { remoteScorerProtocol } from '../../../contract/evaluators/remote-scorers.schemas.ts'
import { defaultThrottlePatienceMs } from '../../../contract/runs/failure-codes.ts'
import type { Dispatcher } from 'undici'
import type { AddressPolicy } from '../address-policy.ts'
import { openPool } from '../http/open-pool.ts'
import { decodeReply } from '../http/decode-body.ts'
import { exchange } from '../http/exchange.ts'
import { networkFault } from '../http/network-fault.ts'
import { parseRetryAfter } from '../http/retry-after.ts'
import type { TrafficMeter } from '../traffic.ts'
import { type Pong, readPong, readScorerReply, type RemoteVerdict } from './scorer-reply.ts'
import { signatureHeaders } from './sign-request.ts'

export interface RemoteScorerSettings {
  readonly url: URL
  /** The current secret first; an old one that still signs after it. */
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Of one try. */
  readonly timeoutMs: number
  readonly maxConcurrency: number
  /** Milliseconds without a single answer for which it is waited for while it takes no calls. */
  readonly patienceMs?: number
  readonly addressPolicy: AddressPolicy
  readonly now: () => number
  readonly random: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly traffic?: TrafficMeter
  readonly lookup?: LookupFunction
}

/** One output to be scored. */
export interface ScoreRequest {
  /** The same for every try, so that the scorer can tell a repetition. */
  readonly id: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface RemoteTry {
  readonly startedAt: number
  readonly finishedAt: number
  readonly httpStatus: number | null
}

export interface RemoteScored {
  readonly verdict: RemoteVerdict
  readonly tries: readonly RemoteTry[]
  /** The scorer said that it is gone for good (410). */
  readonly gone: boolean
  /** It could not be reached in any try, or was busy: nothing follows about the output. */
  readonly lost: boolean
}

export type PingResult =
  | { readonly ok: true; readonly latencyMs: number; readonly scorers: Pong['scorers'] }
  | { readonly ok: false; readonly code: string; readonly message: string }

export interface ScorerWait {
  readonly endpoint: {
    readonly outage: null
    readonly rateWaitMs: 0
    readonly pauseMs: number
    readonly throttle: {
      readonly sinceMs: number
      readonly refusal: { readonly code: 'rate_limited'; readonly message: string; readonly retryAfterMs: number | null }
    } | null
  }
  readonly givesUpInMs: number | null
}

export interface RemoteScorerClient {
  /** Never rejects but when aborted: whatever fails is unscored, with the reason. */
  score(request: ScoreRequest, signal: AbortSignal): Promise<RemoteScored>
  /** One signed try, and no retry. */
  ping(id: string, signal: AbortSignal): Promise<PingResult>
  /** Whether it takes no calls now, and for how long it is waited for. */
  wait(): ScorerWait
  /** Calls at once what waits. */
  skip(): void
  close(): Promise<void>
}

/** Bytes of a reply, decoded. */
const mostBytes = 1024 * 1024
const mostTries = 3
const firstPauseMs = 500
/** Statuses that say that a scorer takes no calls now. */
const refusalStatuses: ReadonlySet<number> = new Set([429, 503, 529])
const longestRefusalPauseMs = 60_000
/** How long a slow scorer is polled for its result before the attempt times out. */
const longestPauseMs = 30_000

/** Outcome of one attempt: a body, an address to poll, or a failure that is retryable or not. */
type Answered =
  | { readonly kind: 'body'; readonly text: string }
  | { readonly kind: 'later'; readonly location: string | null; readonly afterMs: number }
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly reason: string
      readonly again: boolean
      readonly afterMs: number | null
      readonly gone?: boolean
    }

export function createRemoteScorerClient(settings: RemoteScorerSettings): RemoteScorerClient {
  const { url, timeoutMs, now, sleep, random, patienceMs = defaultThrottlePatienceMs } = settings
  const pool = openPool(url, {
    addressPolicy: settings.addressPolicy,
    connections: settings.maxConcurrency,
    lookup: settings.lookup,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  let waiting: (() => void)[] = []
  let active = 0
  /** While it takes no calls. Milliseconds of `now`. */
  let refusal: { readonly since: number; readonly until: number; readonly message: string; readonly retryAfterMs: number | null } | null =
    null
  let answers = 0
  let skipped = new AbortController()
  const enter = async () => {
    while (active >= settings.maxConcurrency) await new Promise<void>(resolve => waiting.push(resolve))
    active++
  }
  const leave = () => {
    active--
    const [next, ...rest] = waiting
    waiting = rest
    next?.()
  }

  const send = async (
    method: 'POST' | 'GET',
    target: URL,
    id: string,
    body: string,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<Answered & { status: number | null }> => {
    const refusal = settings.addressPolicy.refusal(target)
    if (refusal !== null) return { ...failure('address_refused', refusal, false), status: null }
    const signed = signatureHeaders({ id, timestamp: Math.floor(now() / 1000), body }, settings.secrets)
    const own = Object.fromEntries(Object.entries(settings.headers).map(([name, value]) => [name.toLowerCase(), value]))
    const request: Dispatcher.DispatchOptions = {
      method,
      path: `${target.pathname}${target.search}`,
      headers: {
        ...own,
        ...(method === 'POST' && { 'content-type': 'application/json', 'idempotency-key': `"${id}"` }),
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'Assay',
        ...signed,
      },
      ...(method === 'POST' && { body }),
    }
    const found = await exchange(pool, request, {
      signal,
      deadlineMs,
      maxBodyBytes: mostBytes,
      traffic: settings.traffic,
      readerFor: () => null,
    })
    const { ending, status, headers } = found
    const of = (answer: Answered) => ({ ...answer, status })
    signal.throwIfAborted()
    if (ending.how === 'out_of_time') return of(failure('timeout', `The scorer did not answer within ${timeoutMs / 1000} s.`, true))
    if (ending.how === 'failed') {
      const fault = networkFault(ending.error, url.origin)
      return of(failure(fault.code, fault.message, fault.code === 'unreachable' || fault.code === 'bad_response'))
    }
    if (status === null) return of(failure('unreachable', 'The scorer cut the connection before it answered.', true))
    if (status >= 300 && status < 400)
      return of(
        failure(
          'redirect_refused',
          `The scorer redirects (HTTP ${status}), and redirects are never followed. Enter the address that it redirects to.`,
          false,
        ),
      )
    if (ending.how === 'too_large' && status < 300)
      return of(failure('response_too_large', `The scorer's reply is larger than ${mostBytes} bytes.`, false))
    const afterMs = parseRetryAfter(headers, now())
    if (status === 410)
      return of({ ...failure('gone', 'The scorer says that it is gone (HTTP 410), so it is disabled.', false), gone: true })
    if (status === 408 || status === 425 || status === 429 || status >= 500)
      return of(failure(`http_${status}`, `The scorer answered HTTP ${status}.`, true, afterMs))
    if (status === 202)
      return of({ kind: 'later', location: typeof headers.location === 'string' ? headers.location : null, afterMs: afterMs ?? 1000 })
    if (status !== 200) return of(failure(`http_${status}`, `The scorer answered HTTP ${status}.`, false))
    const decoded = await decodeReply(found.body, headers, mostBytes)
    if (!decoded.body) return of(failure('response_too_large', `The scorer's reply can't be decoded within ${mostBytes} bytes.`, false))
    return of({ kind: 'body', text: decoded.body.toString() })
  }

  /** One try: the request, and where the scorer needs longer, questions for its result until the try's time is over. */
  const tryOnce = async (id: string, body: string, signal: AbortSignal) => {
    const until = performance.now() + timeoutMs
    let answer = await send('POST', url, id, body, timeoutMs, signal)
    while (answer.kind === 'later') {
      const target = answer.location === null ? null : URL.parse(answer.location, url.href)
      if (target?.origin !== url.origin)
        return {
          ...failure('invalid_reply', 'The scorer answered 202 without a Location at its own address.', false),
          status: answer.status,
        }
      const left = until - performance.now()
      if (answer.afterMs >= left)
        return { ...failure('timeout', `The scorer had no result within ${timeoutMs / 1000} s.`, true), status: answer.status }
      await sleep(answer.afterMs, signal)
      answer = await send('GET', target, id, '', Math.max(1, until - performance.now()), signal)
    }
    return answer
  }

  return {
    score: async ({ id, body }, signal) => {
      const text = JSON.stringify(body)
      const tries: RemoteTry[] = []
      let refusals = 0
      let waitedMs = 0
      let answersBefore = answers
      for (;;) {
        await enter()
        const startedAt = now()
        const answer = await tryOnce(id, text, signal).finally(leave)
        tries.push({ startedAt, finishedAt: now(), httpStatus: answer.status })
        const isRefused = answer.kind === 'failed' && answer.status !== null && refusalStatuses.has(answer.status)
        if (answer.status !== null && !isRefused) {
          refusal = null
          answers++
        }
        if (answer.kind === 'body') return { verdict: readScorerReply(answer.text), tries, gone: false, lost: false }
        // A throttled call uses no attempt, as at any other endpoint.
        if (isRefused) {
          // Another output was scored since.
          if (answers !== answersBefore) waitedMs = 0
          answersBefore = answers
          const pause = Math.max(answer.afterMs ?? 0, Math.min(longestRefusalPauseMs, firstPauseMs * 2 ** refusals++) * (1 + random() / 4))
          waitedMs += pause
          const at = now()
          refusal = { since: refusal?.since ?? at, until: at + pause, message: answer.reason, retryAfterMs: answer.afterMs }
          if (waitedMs <= patienceMs) {
            await sleep(pause, AbortSignal.any([signal, skipped.signal]))
            signal.throwIfAborted()
            continue
          }
        }
        if (!answer.again || tries.length - refusals >= mostTries || waitedMs > patienceMs) {
          const after = answer.again ? ` Tried ${tries.length} ${tries.length === 1 ? 'time' : 'times'}.` : ''
          const verdict = { kind: 'unscored', code: answer.code, reason: `${answer.reason}${after}` } as const
          return { verdict, tries, gone: answer.gone ?? false, lost: answer.again }
        }
        await sleep(Math.min(longestPauseMs, answer.afterMs ?? random() * firstPauseMs * 2 ** tries.length), signal)
        signal.throwIfAborted()
      }
    },
    ping: async (id, signal) => {
      const before = performance.now()
      const answer = await tryOnce(
        id,
        JSON.stringify({ protocol: remoteScorerProtocol.name, revision: remoteScorerProtocol.revision, type: 'ping' }),
        signal,
      )
      if (answer.kind !== 'body') return { ok: false, code: answer.code, message: answer.reason }
      const pong = readPong(answer.text)
      if (!pong)
        return {
          ok: false,
          code: 'invalid_reply',
          message: 'The scorer answered 200, but not {"status": "pong", "scorers": [{"name", "version"}]}.',
        }
      return { ok: true, latencyMs: Math.round(performance.now() - before), scorers: pong.scorers }
    },
    wait: () => {
      const at = now()
      const { since = at, until = at, message = '', retryAfterMs = null } = refusal ?? {}
      return {
        endpoint: {
          outage: null,
          rateWaitMs: 0,
          pauseMs: Math.max(0, until - at),
          throttle: refusal && { sinceMs: at - since, refusal: { code: 'rate_limited', message, retryAfterMs } },
        },
        givesUpInMs: refusal && Math.max(0, since + patienceMs - at),
      }
    },
    skip: () => {
      const before = skipped
      skipped = new AbortController()
      before.abort('A person skipped the wait.')
    },
    close: () => pool.destroy(),
  }
}

function failure(code: string, reason: string, again: boolean, afterMs: number | null = null): Extract<Answered, { kind: 'failed' }> {
  return { kind: 'failed', code, reason, again, afterMs }
}
