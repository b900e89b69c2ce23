import type { CallOutcome } from '../../clients/model-client.ts'
import type { AttemptReport, ClaimedSample, Commit, ScoreReport } from './ports.ts'

/** Milliseconds that a report may wait for others: three times what the last commit took, within these bounds. */
const shortestDelayMs = 1
const longestDelayMs = 8
/** Samples of a group that waits no longer. */
export const fullGroup = 128
/** Bytes of answers after which a group waits no longer: they are put together in one turn, and held twice meanwhile. */
export const fullGroupBytes = 4 * 1024 * 1024
/** Milliseconds after which a write that failed for a while is tried again. */
const retryAfter = 1000

/**
 * Group commit: what ends within a moment is written in one transaction, so that durability costs one flush for
 * many samples and not one each. Where the disk is full, everything waits and is written when there is room again.
 */
export interface Journal {
  /** Resolves once the attempt is durable. */
  attempt(report: AttemptReport): Promise<void>
  /** Resolves once all of them are. */
  scores(reports: readonly ScoreReport[]): Promise<void>
  /** Resolves with up to `count` samples, claimed durably. @param below only samples at positions below it; null: any */
  claim(count: number, below?: number | null): Promise<ClaimedSample[]>
  /** Resolves when everything handed in so far is written. */
  settled(): Promise<void>
  /** Attempts that are not durable yet. */
  waiting(): number
  /** Bytes of the answers among them. */
  waitingBytes(): number
  /** Why nothing can be written at the moment; null when it can. */
  blocked(): string | null
  /** Rejects pending writes because the process closes; waiters receive the error. */
  abandon(): void
}

export interface JournalOptions {
  /** One transaction. */
  readonly write: (commit: Commit) => Promise<ClaimedSample[]>
  /** Whether the same is worth trying again; any other error rejects everybody who waits. */
  readonly passes: (error: unknown) => boolean
  /** Milliseconds that only grow. */
  readonly monotonic: () => number
}

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

interface Claim {
  readonly count: number
  readonly below: number | null
  resolve(samples: ClaimedSample[]): void
  reject(error: unknown): void
}

/** What is written together, and who waits for it. */
interface Group {
  readonly attempts: AttemptReport[]
  readonly scores: ScoreReport[]
  readonly waiters: Waiter[]
  claim: Claim | null
  bytes: number
}

const emptyGroup = (): Group => ({ attempts: [], scores: [], waiters: [], claim: null, bytes: 0 })

export function createJournal({ write, passes, monotonic }: JournalOptions): Journal {
  /** What is to be written, in this order; what is handed in joins the last. */
  const groups: Group[] = []
  let writing: Group | null = null
  let timer: NodeJS.Timeout | null = null
  let storageFault: Error | null = null
  let abandoned = false
  let delayMs = shortestDelayMs

  const reject = ({ waiters, claim }: Group, error: unknown) => {
    claim?.reject(error)
    for (const waiter of waiters) waiter.reject(error)
  }
  const isFull = ({ attempts, scores, bytes }: Group) => attempts.length + scores.length >= fullGroup || bytes >= fullGroupBytes
  const isEmpty = () => groups.every(({ waiters, claim }) => waiters.length === 0 && claim === null)
  const last = () => {
    const group = groups.at(-1)
    if (group && group.bytes < fullGroupBytes) return group
    const another = emptyGroup()
    groups.push(another)
    return another
  }
  const store = async (group: Group) => {
    const began = monotonic()
    const { attempts, scores, waiters, claim } = group
    try {
      const claimed = await write({ attempts, scores, claim: claim?.count ?? 0, claimBelow: claim?.below ?? null })
      delayMs = Math.min(longestDelayMs, Math.max(shortestDelayMs, 3 * (monotonic() - began)))
      storageFault = null
      claim?.resolve(claimed)
      for (const waiter of waiters) waiter.resolve()
    } catch (error) {
      if (abandoned || !passes(error)) return reject(group, error)
      storageFault = error instanceof Error ? error : new Error(String(error))
      // What failed comes before what was handed in meanwhile.
      groups.unshift(group)
    }
  }
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    const group = groups.shift() ?? emptyGroup()
    writing = group
    void store(group).finally(() => {
      writing = null
      if (!isEmpty()) schedule()
    })
  }
  /** One transaction at a time: what ends during it makes the next one. */
  const schedule = () => {
    if (writing) return
    if (storageFault === null && groups.some(isFull)) flush()
    else timer ??= setTimeout(flush, storageFault === null ? delayMs : retryAfter)
  }
  const waitWith = (group: Group) => {
    const written = new Promise<void>((resolve, reject) => group.waiters.push({ resolve, reject }))
    schedule()
    return written
  }
  const unwritten = () => (writing ? [writing, ...groups] : groups)

  return {
    attempt: report => {
      const group = last()
      group.attempts.push(report)
      group.bytes += bytesOf(report.outcome)
      return waitWith(group)
    },
    scores: reports => {
      const group = last()
      group.scores.push(...reports)
      return waitWith(group)
    },
    claim: (count, below = null) =>
      new Promise((resolve, reject) => {
        if (unwritten().some(group => group.claim)) throw new Error('One claim at a time.')
        last().claim = { count, below, resolve, reject }
        schedule()
      }),
    settled: () => (!writing && isEmpty() ? Promise.resolve() : waitWith(last())),
    waiting: () => groups.reduce((sum, { attempts }) => sum + attempts.length, writing?.attempts.length ?? 0),
    waitingBytes: () => groups.reduce((sum, { bytes }) => sum + bytes, writing?.bytes ?? 0),
    blocked: () => storageFault?.message ?? null,
    abandon: () => {
      abandoned = true
      if (!storageFault || writing) return
      if (timer) clearTimeout(timer)
      timer = null
      for (const group of groups.splice(0)) reject(group, storageFault)
    },
  }
}

/** The part of an answer that is held until it is durable. */
function bytesOf(outcome: CallOutcome): number {
  const { earlier = [] } = outcome
  const bytesOfCall = (call: Pick<CallOutcome, 'request' | 'response'>) => (call.request?.length ?? 0) + (call.response?.length ?? 0)
  const ofCalls = earlier.reduce((sum, call) => sum + bytesOfCall(call), bytesOfCall(outcome))
  return ofCalls + (outcome.ok ? outcome.output.length : 0)
}
