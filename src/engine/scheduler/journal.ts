import type { AttemptReport, ClaimedSample, Commit, ScoreReport } from './ports.ts'

/** Milliseconds that a report may wait for others; a full group does not wait. */
const patience = 2
const fullGroup = 64

/**
 * Group commit: what ends within a moment is written in one transaction, so that durability costs one flush for
 * many samples and not one each.
 */
export interface Journal {
  /** Resolves once the attempt is durable. */
  attempt(report: AttemptReport): Promise<void>
  score(report: ScoreReport): Promise<void>
  /** Resolves with up to `count` samples, claimed durably. */
  claim(count: number): Promise<ClaimedSample[]>
  /** Resolves when everything handed in so far is written. */
  settled(): Promise<void>
}

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

/** @param write one transaction; throwing rejects everybody who waits for it */
export function createJournal(write: (commit: Commit) => ClaimedSample[]): Journal {
  let attempts: AttemptReport[] = []
  let scores: ScoreReport[] = []
  let waiters: Waiter[] = []
  let wanted: { count: number; resolve(samples: ClaimedSample[]): void; reject(error: unknown): void } | null = null
  let timer: NodeJS.Timeout | null = null

  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    const commit: Commit = { attempts, scores, claim: wanted?.count ?? 0 }
    const waiting = waiters
    const claim = wanted
    attempts = []
    scores = []
    waiters = []
    wanted = null
    try {
      const claimed = write(commit)
      claim?.resolve(claimed)
      for (const waiter of waiting) waiter.resolve()
    } catch (error) {
      claim?.reject(error)
      for (const waiter of waiting) waiter.reject(error)
    }
  }
  const schedule = () => {
    if (attempts.length + scores.length >= fullGroup) flush()
    else timer ??= setTimeout(flush, patience)
  }
  const wait = () => new Promise<void>((resolve, reject) => waiters.push({ resolve, reject }))

  return {
    attempt: report => {
      attempts.push(report)
      const written = wait()
      schedule()
      return written
    },
    score: report => {
      scores.push(report)
      const written = wait()
      schedule()
      return written
    },
    claim: count =>
      new Promise((resolve, reject) => {
        if (wanted) throw new Error('One claim at a time.')
        wanted = { count, resolve, reject }
        schedule()
      }),
    settled: () => {
      if (!timer) return Promise.resolve()
      return wait()
    },
  }
}
