import { clientGone } from './errors.ts'

/** Turns of one key or session. */
export interface WorkLimits {
  /**
   * Runs the work once fewer than so many of the caller's are at work; until then it waits.
   * @throws ApiError unavailable where the client left before its turn
   */
  run<Result>(caller: string, gone: AbortSignal, work: () => Promise<Result>): Promise<Result>
  /** Resolves in its turn. @returns what to call when it is over @throws ApiError likewise */
  enter(caller: string, gone: AbortSignal): Promise<() => void>
}

interface Caller {
  atWork: number
  readonly waiting: (() => void)[]
}

/**
 * Keeps one client from filling every turn of the loop, or the memory: what computes for long does so a piece at a time between other work,
 * and a hundred at once make a hundred pieces.
 * @param mostAtOnce of each caller
 */
export function createWorkLimits(mostAtOnce = 2): WorkLimits {
  const callers = new Map<string, Caller>()
  const enter: WorkLimits['enter'] = async (id, gone) => {
    const caller = callers.get(id) ?? { atWork: 0, waiting: [] }
    callers.set(id, caller)
    // Whoever ends hands its place on.
    if (caller.atWork < mostAtOnce) caller.atWork++
    else await new Promise<void>(resolve => caller.waiting.push(resolve))
    let isOver = false
    const leave = () => {
      if (isOver) return
      isOver = true
      const next = caller.waiting.shift()
      if (next) next()
      else if (--caller.atWork === 0) callers.delete(id)
    }
    if (!gone.aborted) return leave
    leave()
    throw clientGone()
  }
  return {
    enter,
    run: async (id, gone, work) => {
      const leave = await enter(id, gone)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
