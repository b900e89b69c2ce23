/** Milliseconds between requests to a provider, learned from what it says. */
export interface Pace {
  /** Milliseconds until the next request may be sent; 0 means now. */
  delay(now: number): number
  sent(now: number): void
  /** A request went through: a little faster next time. */
  accepted(): void
  throttled(): void
}

/** Request rates: providers' clouds by their plans' limits; self-hosted servers adaptively. */
export function createPace(limits: { readonly initialMs: number; readonly minimumMs: number } | null): Pace {
  let interval = limits?.initialMs ?? 0
  let last = Number.NEGATIVE_INFINITY
  return {
    delay: now => Math.max(0, last + interval - now),
    sent: now => {
      last = now
    },
    accepted: () => {
      if (limits) interval = Math.max(limits.minimumMs, interval * 0.9)
    },
    throttled: () => {
      if (limits) interval = Math.max(limits.initialMs, interval * 2)
    },
  }
}
