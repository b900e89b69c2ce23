import { clientGone } from './errors.ts'

/** Requests of one key or session that compute at a time. */
const mostAtOnce = 2

/**
 * Keeps one client from filling every turn of the loop: what computes for long does so a piece at a time between other work, and a hundred
 * at once make a hundred pieces.
 */
export interface WorkLimits {
  /**
   * Runs the work once fewer than two of the caller's are at work; until then it waits.
   * @throws ApiError unavailable where the client left before its turn
   */
  run<Result>(caller: string, gone: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

interface Caller {
  atWork: number
  readonly waiting: (() => void)[]
}

export function createWorkLimits(): WorkLimits {
  const callers = new Map<string, Caller>()
  return {
    run: async (id, gone, work) => {
      const caller = callers.get(id) ?? { atWork: 0, waiting: [] }
      callers.set(id, caller)
      // Whoever ends hands its place on.
      if (caller.atWork < mostAtOnce) caller.atWork++
      else await new Promise<void>(resolve => caller.waiting.push(resolve))
      try {
        if (gone.aborted) throw clientGone()
        return await work()
      } finally {
        const next = caller.waiting.shift()
        if (next) next()
        else if (--caller.atWork === 0) callers.delete(id)
      }
    },
  }
}
