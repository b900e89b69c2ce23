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
  readonly write: (commit: Commit) => ClaimedSample[]
  /** Whether the same is worth trying again; any other error rejects everybody who waits. */
  readonly passes: (error: unknown) => boolean
  /** Milliseconds that only grow. */
  readonly monotonic: () => number
}

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

export function createJournal({ write, passes, monotonic }: JournalOptions): Journal {
  let attempts: AttemptReport[] = []
  let scores: ScoreReport[] = []
  let waiters: Waiter[] = []
  let wanted: { count: number; below: number | null; resolve(samples: ClaimedSample[]): void; reject(error: unknown): void } | null = null
  let timer: NodeJS.Timeout | null = null
  let storageFault: Error | null = null
  let abandoned = false
  let delayMs = shortestDelayMs

  const clear = () => {
    if (timer) clearTimeout(timer)
    timer = null
    const group = { waiters, wanted }
    attempts = []
    scores = []
    waiters = []
    wanted = null
    return group
  }
  const reject = (error: unknown) => {
    const group = clear()
    group.wanted?.reject(error)
    for (const waiter of group.waiters) waiter.reject(error)
  }
  const flush = () => {
    const began = monotonic()
    try {
      const claimed = write({ attempts, scores, claim: wanted?.count ?? 0, claimBelow: wanted?.below ?? null })
      delayMs = Math.min(longestDelayMs, Math.max(shortestDelayMs, 3 * (monotonic() - began)))
      storageFault = null
      const group = clear()
      group.wanted?.resolve(claimed)
      for (const waiter of group.waiters) waiter.resolve()
    } catch (error) {
      if (abandoned || !passes(error)) return reject(error)
      storageFault = error instanceof Error ? error : new Error(String(error))
      if (timer) clearTimeout(timer)
      timer = setTimeout(flush, retryAfter)
    }
  }
  const schedule = () => {
    if (storageFault === null && attempts.length + scores.length >= fullGroup) flush()
    else timer ??= setTimeout(flush, delayMs)
  }
  const wait = () => new Promise<void>((resolve, reject) => waiters.push({ resolve, reject }))

  return {
    attempt: report => {
      attempts.push(report)
      const written = wait()
      schedule()
      return written
    },
    scores: reports => {
      scores.push(...reports)
      const written = wait()
      schedule()
      return written
    },
    claim: (count, below = null) =>
      new Promise((resolve, reject) => {
        if (wanted) throw new Error('One claim at a time.')
        wanted = { count, below, resolve, reject }
        schedule()
      }),
    settled: () => (timer ? wait() : Promise.resolve()),
    waiting: () => attempts.length,
    blocked: () => storageFault?.message ?? null,
    abandon: () => {
      abandoned = true
      if (storageFault) reject(storageFault)
    },
  }
}
