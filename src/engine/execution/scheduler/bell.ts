/** Wakes whoever waits at the moment. */
export interface Bell {
  ring(): void
  rung(): Promise<void>
}

export function createBell(): Bell {
  let next = Promise.withResolvers<void>()
  return {
    ring: () => {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
    rung: () => next.promise,
  }
}
