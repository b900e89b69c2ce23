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
  /** Begins the turn of each, in the order of their arrival. */
  readonly waiting: Set<() => void>
}

/**
 * Keeps one client from filling every turn of the loop, or the memory: what computes for long does so a piece at a time between other work,
 * and a hundred at once make a hundred pieces.
 * @param mostAtOnce of each caller
 */
export function createWorkLimits(mostAtOnce = 2): WorkLimits {
  const callers = new Map<string, Caller>()
  const enter: WorkLimits['enter'] = async (id, gone) => {
    if (gone.aborted) return null
    const caller = callers.get(id) ?? { atWork: 0, waiting: new Set() }
    callers.set(id, caller)
    // Whoever ends hands its place on.
    if (caller.atWork < mostAtOnce) caller.atWork++
    else if (!(await turn(caller, gone))) return null
    let isOver = false
    const leave = () => {
      if (isOver) return
      isOver = true
      const [next] = caller.waiting
      if (next) next()
      else if (--caller.atWork === 0) callers.delete(id)
    }
    if (!gone.aborted) return leave
    // It left after its turn had begun.
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

/** @returns false where the client left before: its place is free at once, since what it holds may be large */
function turn({ waiting }: Caller, gone: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    const end = (isTurn: boolean) => {
      waiting.delete(begin)
      gone.removeEventListener('abort', leave)
      resolve(isTurn)
    }
    const begin = () => end(true)
    const leave = () => end(false)
    waiting.add(begin)
    gone.addEventListener('abort', leave)
  })
}

function refuse(): never {
  throw clientGone()
}
