const dayMs = 86_400_000
/** A clock that is further ahead was wrong, or the machine was off for long; a day tells which. */
const mostAheadMs = 7 * dayMs

export interface TrustedClock {
  /** Instant that ages are counted from. */
  readonly trustedAt: Date
  /** Since when the clock is too far ahead of it; null where it is not. */
  readonly heldSince: Date | null
}

/** When a clock that stays as it is will be believed; null where it is. */
export function heldUntil({ heldSince }: TrustedClock): string | null {
  return heldSince === null ? null : new Date(heldSince.getTime() + dayMs).toISOString()
}

/**
 * A clock that jumps ahead by more than a week is believed once it is a day further: one that is a year ahead would make everything old
 * at once. One that is set back is believed immediately, since it only removes less.
 * @param known what the last call answered; null before the first
 */
export function trustClock(known: TrustedClock | null, now: Date): TrustedClock {
  const since = known?.heldSince ?? null
  const isConfirmed = since !== null && now.getTime() - since.getTime() >= dayMs
  const trustedAt = isConfirmed ? since : known?.trustedAt
  if (!trustedAt || now.getTime() - trustedAt.getTime() <= mostAheadMs) return { trustedAt: now, heldSince: null }
  return { trustedAt, heldSince: isConfirmed || since === null || now < since ? now : since }
}
