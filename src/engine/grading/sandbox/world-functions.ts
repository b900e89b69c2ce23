import { guarded } from '../../../lib/guarded.ts'
import { command, type Reply } from './converse.ts'
import { SandboxLostError, type SandboxProcess } from './sandbox-process.ts'
import { type SandboxSettings, usualIdleMs, warnOfFault } from './sandbox.ts'
import type { Tier } from './tier.ts'

/** One call of a tool whose behavior is a function. */
export interface WorldFunctionCall {
  readonly source: string
  readonly state: Readonly<Record<string, unknown>>
  readonly args: Readonly<Record<string, unknown>>
  /** What the function's clock shows, in milliseconds since 1970. */
  readonly now: number
  /** Of its randomness. */
  readonly seed: number
  /** Milliseconds after which it is stopped. */
  readonly timeoutMs: number
}

/** What a function answered: texts `[state, result, error or null]` as JSON, or why there is none; `lost` is the sandbox's own doing. */
export type WorldFunctionReply = Reply | { readonly kind: 'lost'; readonly message: string }

/** Runs a call somewhere. Never rejects for what the function does. */
export type CallWorldFunction = (call: WorldFunctionCall) => Promise<WorldFunctionReply>

/** Calls functions of worlds in interpreters that share nothing. */
export interface WorldFunctions {
  /** @throws SandboxLostError where the sandbox is lost twice */
  call(call: WorldFunctionCall): Promise<Reply>
  close(): Promise<void>
}

/** Calls of one process, each in an interpreter of its own; then its memory is given back. */
const mostCalls = 5_000

/** @param program text of `resources/sandbox/world.js` @param places processes at a time */
export function createWorldFunctions(
  tier: Tier,
  program: string,
  places: number,
  { idleMs = usualIdleMs, tell = warnOfFault }: SandboxSettings = {},
): WorldFunctions {
  const free: (Seat | null)[] = Array.from({ length: places }, () => null)
  const queue: ((seat: Seat | null) => void)[] = []
  let idle: NodeJS.Timeout | null = null

  const take = (): Promise<Seat | null> => {
    if (idle) clearTimeout(idle)
    idle = null
    const seat = free.pop()
    return seat === undefined ? new Promise(resolve => queue.push(resolve)) : Promise.resolve(seat)
  }
  const giveBack = (seat: Seat) => {
    const kept = seat.process.isOver() || seat.calls >= mostCalls ? null : seat
    if (kept === null) seat.process.close().catch(tell)
    const next = queue.shift()
    if (next) return next(kept)
    free.push(kept)
    if (free.length === places) idle = setTimeout(guarded(clear, tell), idleMs).unref()
  }
  const clear = async () => {
    const seats = free.map((seat, i) => {
      free[i] = null
      return seat
    })
    await Promise.all(seats.map(async seat => seat?.process.close()))
  }
  const attempt = async ({ timeoutMs, ...input }: WorldFunctionCall): Promise<Reply> => {
    const taken = await take()
    const seat = taken && !taken.process.isOver() ? taken : { process: tier.start('candidate'), calls: 0 }
    seat.calls++
    try {
      return await command(seat.process, { op: 'once', program, input: JSON.stringify(input) }, timeoutMs)
    } finally {
      giveBack(seat)
    }
  }
  return {
    call: async call => {
      try {
        return await attempt(call)
      } catch (error) {
        if (!(error instanceof SandboxLostError)) throw error
        return await attempt(call)
      }
    },
    close: async () => {
      if (idle) clearTimeout(idle)
      await clear()
    },
  }
}

interface Seat {
  readonly process: SandboxProcess
  calls: number
}
