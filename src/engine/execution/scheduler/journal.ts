import type { AttemptReport, ClaimedSample, Commit, ScoreReport } from './ports.ts'

/** Milliseconds that a report may wait for others: three times what the last commit took, within these bounds. */
const shortestDelayMs = 1
const longestDelayMs = 8
/** Samples of a group that waits no longer. */
export const fullGroup = 128
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
}

const emptyGroup = (): Group => ({ attempts: [], scores: [], waiters: [], claim: null })

export function createJournal({ write, passes, monotonic }: JournalOptions): Journal {
  /** What was handed in since the last write began. */
  let next = emptyGroup()
  let writing: Group | null = null
  let timer: NodeJS.Timeout | null = null
  let storageFault: Error | null = null
  let abandoned = false
  let delayMs = shortestDelayMs

  const reject = ({ waiters, claim }: Group, error: unknown) => {
    claim?.reject(error)
    for (const waiter of waiters) waiter.reject(error)
  }
  const isEmpty = ({ attempts, scores, waiters, claim }: Group) => attempts.length + scores.length + waiters.length === 0 && claim === null
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
      next = joinGroups(group, next)
    }
  }
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    const group = next
    next = emptyGroup()
    writing = group
    void store(group).finally(() => {
      writing = null
      if (!isEmpty(next)) schedule()
    })
  }
  /** One transaction at a time: what ends during it makes the next one. */
  const schedule = () => {
    if (writing) return
    if (storageFault === null && next.attempts.length + next.scores.length >= fullGroup) flush()
    else timer ??= setTimeout(flush, storageFault === null ? delayMs : retryAfter)
  }
  const wait = () => new Promise<void>((resolve, reject) => next.waiters.push({ resolve, reject }))

  return {
    attempt: report => {
      next.attempts.push(report)
      const written = wait()
      schedule()
      return written
    },
    scores: reports => {
      next.scores.push(...reports)
      const written = wait()
      schedule()
      return written
    },
    claim: (count, below = null) =>
      new Promise((resolve, reject) => {
        if (next.claim ?? writing?.claim) throw new Error('One claim at a time.')
        next.claim = { count, below, resolve, reject }
        schedule()
      }),
    settled: () => {
      if (!writing && isEmpty(next)) return Promise.resolve()
      const written = wait()
      schedule()
      return written
    },
    waiting: () => next.attempts.length + (writing?.attempts.length ?? 0),
    blocked: () => storageFault?.message ?? null,
    abandon: () => {
      abandoned = true
      if (!storageFault || writing) return
      if (timer) clearTimeout(timer)
      timer = null
      const group = next
      next = emptyGroup()
      reject(group, storageFault)
    },
  }
}

/** Writes that failed come before what was handed in meanwhile. */
function joinGroups(failed: Group, later: Group): Group {
  return {
    attempts: [...failed.attempts, ...later.attempts],
    scores: [...failed.scores, ...later.scores],
    waiters: [...failed.waiters, ...later.waiters],
    claim: failed.claim ?? later.claim,
  }
}
