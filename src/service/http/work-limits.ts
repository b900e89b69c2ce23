import { clientGone } from './errors.ts'

/** Turns of one key or session. */
export interface WorkLimits {
  /**
   * Runs the work once fewer than so many of the caller's are at work; until then it waits.
   * @param whenGone what a client gets that left before its turn: by default a refusal (unavailable)
   */
  run<Result>(caller: string, gone: AbortSignal, work: () => Promise<Result>, whenGone?: () => Result): Promise<Result>
  /** Resolves in its turn. @returns what to call when it is over; null where the client left before */
  enter(caller: string, gone: AbortSignal): Promise<(() => void) | null>
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
    return null
  }
  return {
    enter,
    run: async (id, gone, work, whenGone = refuse) => {
      const leave = await enter(id, gone)
      if (!leave) return whenGone()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function refuse(): never {
  throw clientGone()
}
