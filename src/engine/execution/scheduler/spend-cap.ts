/** Keeps a run within what it may cost at most: a call is only made when even its worst case fits. */
export interface SpendCap {
  /**
   * Resolves with true once the worst case fits beside what is spent and what calls in flight may still cost, and sets it aside;
   * with false when nothing is in flight that could leave room.
   */
  reserve(worst: bigint): Promise<boolean>
  /** A call that was set aside for ended. */
  settle(worst: bigint, actual: bigint): void
  raise(cap: bigint | null): void
  /** Micro-USD. */
  spent(): bigint
  /** Micro-USD that neither was spent nor is set aside; null: no cap. */
  left(): bigint | null
}

/** A limit within another: a call is made where it fits into both. */
export function withinBoth(total: SpendCap, part: SpendCap): SpendCap {
  return {
    reserve: async worst => {
      if (!(await part.reserve(worst))) return false
      if (await total.reserve(worst)) return true
      part.settle(worst, 0n)
      return false
    },
    settle: (worst, actual) => {
      part.settle(worst, actual)
      total.settle(worst, actual)
    },
    raise: total.raise,
    spent: part.spent,
    left: part.left,
  }
}

/** Worst cases that a call counts for while no bill of its model was seen: what a provider bills beyond the output limit is rarely more. */
export const unseenFactor = 8n

/**
 * A provider that bills more than its output limit allows breaks the worst case. So calls are admitted by the largest excess that any bill
 * has shown.
 * @param cap null: no cap
 * @param care worst cases that each of several calls in flight counts for until a first bill is seen
 */
export function createSpendCap(cap: bigint | null, spentBefore: bigint, care = 1n): SpendCap {
  let most = cap
  let spent = spentBefore
  let reserved = 0n
  /** Largest bill beside its worst case; null before a first bill. */
  let excess: { readonly actual: bigint; readonly worst: bigint } | null = null
  let queue: { readonly worst: bigint; decide(fits: boolean): void }[] = []

  const scaled = (worst: bigint) => (excess ? (worst * excess.actual + excess.worst - 1n) / excess.worst : worst)
  const fits = (worst: bigint) => {
    if (most === null) return true
    if (reserved === 0n) return spent + scaled(worst) <= most
    return spent + (excess ? scaled(reserved + worst) : (reserved + worst) * care) <= most
  }
  const pump = () => {
    for (let next = queue[0]; next && (fits(next.worst) || reserved === 0n); next = queue[0]) {
      const admitted = fits(next.worst)
      if (admitted) reserved += next.worst
      queue = queue.slice(1)
      next.decide(admitted)
    }
  }
  return {
    reserve: worst =>
      new Promise(decide => {
        queue.push({ worst, decide })
        pump()
      }),
    settle: (worst, actual) => {
      reserved -= worst
      spent += actual
      if (actual > 0n && worst > 0n) {
        const seen = { actual: actual > worst ? actual : worst, worst }
        if (!excess || seen.actual * excess.worst > excess.actual * seen.worst) excess = seen
      }
      pump()
    },
    raise: next => {
      most = next
      pump()
    },
    spent: () => spent,
    left: () => (most === null ? null : most - spent - scaled(reserved)),
  }
}
