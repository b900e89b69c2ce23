import type { FailureCode } from '../../../contract/runs/failure-codes.ts'
import { gatewayStatuses } from '../../clients/http/probe-fault.ts'
import type { CallOutcome } from '../../clients/model-client.ts'

/** Transport failures in a row after which an endpoint counts as down. */
export const failuresToOpen = 5
/** Milliseconds until the first probe; each failed probe doubles the wait. */
const firstProbeMs = 500
const longestProbeMs = 60_000
/** Milliseconds within which something has to answer a probe. */
const probeTimeoutMs = 10_000

/** Why an endpoint counts as down, as it is stored. Times are milliseconds since 1970. */
export interface Outage {
  readonly since: number
  readonly code: FailureCode
  readonly message: string
}

export interface OutageView extends Outage {
  /** Probes that failed since then. */
  readonly probes: number
  /** Null while a probe is under way. */
  readonly nextProbeAt: number | null
}

/** Transport failures in a row, from the first after an answer to the next answer. */
export interface Streak {
  readonly failures: number
  /** Whether a probe found nothing there either: then the failures are the endpoint's and count against no sample. */
  readonly isOutage: boolean
}

/** Makes no model call. Null when anything answers at the endpoint, whatever it says. */
export type Probe = (signal: AbortSignal) => Promise<{ readonly code: FailureCode; readonly message: string } | null>

/** Whether an endpoint is there, as far as its last calls tell. While it is open, no call is made but for probes. */
export interface CircuitBreaker {
  isOpen(): boolean
  /** Takes note of how a call ended. Null unless the transport failed. */
  note(outcome: CallOutcome): Streak | null
  /** Whether the failures were an outage: asks a probe where that is not known yet. False when aborted. */
  settle(streak: Streak, signal: AbortSignal): Promise<boolean>
  /** A run begins to use the endpoint; the answer is called when it ends. */
  join(probe: Probe): () => void
  /** Probes at once instead of at the next time. */
  probeNow(): void
  view(): OutageView | null
}

export interface CircuitBreakerOptions {
  /** False under the policy fail fast: failures are counted, calls are made all the same. */
  readonly opens: boolean
  /** As it was stored; null when the endpoint was well. */
  readonly outage: Outage | null
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  /** Calls back after so many milliseconds. */
  readonly later: (ms: number, wake: () => void) => void
  /** Something of its view has changed. */
  readonly onChange: () => void
}

interface MutableStreak {
  failures: number
  isOutage: boolean
  fault: { readonly code: FailureCode; readonly message: string } | null
  waiting: ((isOutage: boolean) => void)[]
}

/** No connection, no head of a response in time, or a gateway without a server behind it. */
export function isTransportFailure(outcome: CallOutcome): outcome is Extract<CallOutcome, { ok: false }> {
  if (outcome.ok) return false
  if (outcome.code === 'unreachable') return true
  if (outcome.code === 'timeout') return outcome.httpStatus === null
  return outcome.retryAfterMs === null && outcome.httpStatus !== null && gatewayStatuses.has(outcome.httpStatus)
}

export function createCircuitBreaker({ opens, outage: stored, now, random, later, onChange }: CircuitBreakerOptions): CircuitBreaker {
  let streak: MutableStreak = { failures: 0, isOutage: stored !== null, fault: stored, waiting: [] }
  let outage: Outage | null = stored
  const probes: Probe[] = []
  let failedProbes = 0
  let nextProbeAt: number | null = null
  let probing: AbortController | null = null
  /** Of the timer that counts; an older one that fires late does nothing. */
  let timer = 0

  const decide = (isOutage: boolean) => {
    streak.isOutage ||= isOutage
    for (const tell of streak.waiting.splice(0)) tell(isOutage)
  }
  const close = () => {
    decide(false)
    streak = { failures: 0, isOutage: false, fault: null, waiting: [] }
    timer++
    nextProbeAt = null
    probing?.abort()
    if (outage === null) return
    outage = null
    onChange()
  }
  const waitMs = () => Math.min(longestProbeMs, firstProbeMs * 2 ** failedProbes) * (1 + random() / 4)
  const schedule = (ms: number) => {
    const own = ++timer
    nextProbeAt = now() + ms
    later(ms, () => {
      if (own === timer) void probe()
    })
  }
  const probe = async () => {
    const [ask] = probes
    if (!ask || !outage || probing) return
    timer++
    nextProbeAt = null
    const own = new AbortController()
    probing = own
    later(probeTimeoutMs, () => own.abort())
    onChange()
    const fault = await ask(own.signal).catch((error: unknown) => ({ code: 'unreachable' as const, message: String(error) }))
    probing = null
    // An answer came meanwhile, or every run that used the endpoint has ended.
    if (!outage || probes.length === 0) return
    // The run whose client asked has ended; another one asks.
    if (!probes.includes(ask)) return schedule(0)
    if (fault === null) return close()
    failedProbes++
    if (fault.code !== 'cancelled') outage = { ...outage, ...fault }
    decide(true)
    schedule(waitMs())
    onChange()
  }
  const open = () => {
    if (outage || !opens || !streak.fault) return
    outage = { since: now(), ...streak.fault }
    failedProbes = 0
    schedule(waitMs())
    onChange()
  }

  return {
    isOpen: () => outage !== null,
    note: outcome => {
      if (!outcome.ok && outcome.code === 'cancelled') return null
      if (!isTransportFailure(outcome)) {
        close()
        return null
      }
      streak.failures++
      streak.fault = { code: outcome.code, message: outcome.message }
      if (streak.failures >= failuresToOpen) open()
      return streak
    },
    settle: (failures, signal) => {
      if (failures !== streak || streak.isOutage || !opens || signal.aborted) return Promise.resolve(failures.isOutage)
      open()
      const { waiting } = streak
      return new Promise(resolve => {
        const abort = () => resolve(false)
        signal.addEventListener('abort', abort, { once: true })
        waiting.push(isOutage => {
          signal.removeEventListener('abort', abort)
          resolve(isOutage)
        })
      })
    },
    join: ask => {
      probes.push(ask)
      if (outage && nextProbeAt === null && !probing) schedule(0)
      return () => {
        probes.splice(probes.indexOf(ask), 1)
        if (probes.length === 0) probing?.abort()
      }
    },
    probeNow: () => void probe(),
    view: () => outage && { ...outage, probes: failedProbes, nextProbeAt },
  }
}
