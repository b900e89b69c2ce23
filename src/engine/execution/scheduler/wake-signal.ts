/** Wakes all current waiters. */
export interface WakeSignal {
  notify(): void
  notified(): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let next = Promise.withResolvers<void>()
  return {
    notify: () => {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
    notified: () => next.promise,
  }
}
