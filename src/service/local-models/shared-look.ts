/** A look takes this share of the time at most, however often it is asked for. */
const share = 1 / 20

/** A look that everybody shares who asks while it is made or for a while after. */
export interface SharedLook<Found> {
  read(): Promise<Found>
  /** What was found may no longer be true: who asks next gets a look that begins after the one under way. */
  forget(): void
}

export interface SharedLookSettings<Found> {
  /** Milliseconds for which a quick look is good enough, or one that stopped early. */
  readonly keptMs: number
  /** Another look is to continue it. */
  readonly stoppedEarly: (found: Found) => boolean
  /** Milliseconds that only grow. */
  readonly now?: () => number
}

/** One look is made at a time. */
export function createSharedLook<Found>(
  look: () => Promise<Found>,
  { keptMs, stoppedEarly, now = () => performance.now() }: SharedLookSettings<Found>,
): SharedLook<Found> {
  interface State {
    hasBegun: boolean
    keptUntil: number
  }
  let last: { readonly state: State; readonly found: Promise<Found> } | null = null
  let underWay: Promise<unknown> | null = null
  const make = async (state: State): Promise<Found> => {
    if (underWay) await underWay.catch(() => undefined)
    state.hasBegun = true
    const began = now()
    try {
      const made = look()
      underWay = made
      const found = await made
      state.keptUntil = now() + (stoppedEarly(found) ? keptMs : Math.max(keptMs, (now() - began) / share))
      return found
    } catch (error) {
      state.keptUntil = 0
      throw error
    } finally {
      underWay = null
    }
  }
  return {
    read: () => {
      if (last && now() < last.state.keptUntil) return last.found
      const state: State = { hasBegun: false, keptUntil: Number.POSITIVE_INFINITY }
      last = { state, found: make(state) }
      return last.found
    },
    forget: () => {
      if (last?.state.hasBegun) last = null
    },
  }
}
