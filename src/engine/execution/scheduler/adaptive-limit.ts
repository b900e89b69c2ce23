/** Concurrent calls that an endpoint seems to handle. */
export interface AdaptiveLimit {
  /** A whole number, at least 1. */
  current(): number
  /** @param inUse whether the limit was what held calls back: an unused limit proves nothing */
  succeeded(latencyMs: number, inUse: boolean): void
  /** The endpoint complained. */
  throttled(): void
  /** How often it was lowered because answers took longer, not because the endpoint complained. */
  slowed(): number
}

const first = 8
/** Complaints of calls that were in flight together say the same thing, so one a second counts. */
const oneComplaint = 1000
const smallestWindow = 10
/** Rounds of success before a limit that proved too high is tried again. */
const mostCaution = 256
/** Answers count as slower from here on, in milliseconds beyond twice the usual: short calls vary that much by themselves. */
const slowerBy = 500

/**
 * Additive increase, multiplicative decrease: the limit doubles with each round of successes until the endpoint first complains,
 * then grows by one a round. A complaint halves it. One that follows at once on growing says that the endpoint has no place for one
 * more, so the next try takes twice as many rounds. Answers that take more than twice as long as the best round's mean that calls
 * queue at the other end, so they take a quarter off.
 * @param now milliseconds that only grow
 */
export function createAdaptiveLimit(max: number, now: () => number): AdaptiveLimit {
  let limit = Math.min(max, first)
  let doubling = true
  let successes = 0
  let caution = 1
  /** Successes since it grew by one; null where it was lowered since. */
  let sinceGrowth: number | null = null
  let slowed = 0
  let lastComplaint = Number.NEGATIVE_INFINITY
  let latencies: number[] = []
  let best = Number.POSITIVE_INFINITY

  const grow = () => {
    if (doubling) limit = Math.min(max, limit + 1)
    else if (++successes >= limit * caution) {
      successes = 0
      sinceGrowth = 0
      limit = Math.min(max, limit + 1)
    }
  }
  const lower = (to: number) => {
    doubling = false
    successes = 0
    sinceGrowth = null
    latencies = []
    limit = Math.max(1, Math.floor(to))
  }
  /** Compares a full round with the best so far, which fades, so that another kind of question is not slow for good. */
  const judgeRound = () => {
    const median = latencies.sort((a, b) => a - b)[latencies.length >> 1] ?? 0
    latencies = []
    const slow = median > 2 * best + slowerBy
    best = Math.min(median, best * 1.05)
    if (!slow) return
    slowed++
    lower((limit * 3) / 4)
  }

  return {
    current: () => limit,
    slowed: () => slowed,
    succeeded: (latencyMs, inUse) => {
      latencies.push(latencyMs)
      if (latencies.length >= Math.max(smallestWindow, limit)) judgeRound()
      if (sinceGrowth !== null) sinceGrowth++
      if (inUse) grow()
    },
    throttled: () => {
      if (now() - lastComplaint < oneComplaint) return
      lastComplaint = now()
      // A single call that is refused says nothing about their number.
      if (limit > 1)
        caution = sinceGrowth !== null && sinceGrowth <= 2 * limit ? Math.min(mostCaution, 2 * caution) : Math.max(1, caution / 2)
      lower(limit / 2)
    },
  }
}

/** For connections that want to know at once when a limit is passed: nothing is found out, nothing given in to. */
export function createFixedLimit(max: number): AdaptiveLimit {
  return { current: () => max, slowed: () => 0, succeeded: () => undefined, throttled: () => undefined }
}
