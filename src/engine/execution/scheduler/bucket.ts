/** A level that calls use up and time refills. */
export interface Bucket {
  /** Below 0 where a call cost more than was left. */
  level(): number
  take(amount: number): void
  /** Milliseconds until the level is at least `wanted`; 0 when it is, `Infinity` when it never will be. */
  msUntil(wanted: number): number
}

export interface BucketSettings {
  /** At the beginning. */
  readonly level: number
  /** Refilling stops here. */
  readonly capacity: number
  readonly perMs: number
}

/** @param now milliseconds that only grow */
export function createBucket({ level: first, capacity, perMs }: BucketSettings, now: () => number): Bucket {
  let level = first
  let at = now()
  const refill = () => {
    const elapsed = now() - at
    at += elapsed
    level = Math.max(level, Math.min(capacity, level + elapsed * perMs))
  }
  return {
    level: () => {
      refill()
      return level
    },
    take: amount => {
      refill()
      level -= amount
    },
    msUntil: wanted => {
      refill()
      if (level >= wanted) return 0
      return perMs > 0 && capacity >= wanted ? (wanted - level) / perMs : Number.POSITIVE_INFINITY
    },
  }
}
