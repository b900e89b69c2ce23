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

/** @param cap null: no cap */
export function createSpendCap(cap: bigint | null, spentBefore: bigint): SpendCap {
  let most = cap
  let spent = spentBefore
  let reserved = 0n
  let queue: { readonly worst: bigint; decide(fits: boolean): void }[] = []

  const fits = (worst: bigint) => most === null || spent + reserved + worst <= most
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
      pump()
    },
    raise: next => {
      most = next
      pump()
    },
    spent: () => spent,
    left: () => (most === null ? null : most - spent - reserved),
  }
}
