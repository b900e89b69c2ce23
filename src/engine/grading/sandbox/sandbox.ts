import { guarded } from '../../../lib/guarded.ts'
import { messageOf } from '../../../lib/message-of.ts'
import { SandboxLostError, type SandboxProcess } from './sandbox-process.ts'
import type { ByLanguage, Role, Tier } from './tier.ts'

/** Default time before idle processes are ended. */
export const usualIdleMs = 20_000

/** The processes of one check. They are gone when the check ends. */
export interface Room {
  readonly tier: Tier
  /** A process that has run nothing yet; the one before it is killed. */
  candidate(): SandboxProcess
  /** The same for a task's own tests, which are as little trusted: what they change ends with the check. */
  checker(): SandboxProcess
}

/** A few places in which model-written code is run, each by itself. */
export interface Sandbox {
  readonly tier: Tier
  /**
   * Does the work in processes of its own. Where the sandbox is lost, the work is done once more, all of it, in processes of a fresh start.
   * @throws SandboxLostError where it is lost again
   */
  use<Result>(work: (room: Room) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** The sandboxes that are open. */
export type Sandboxes = ByLanguage<Sandbox>

export const noSandboxes: Sandboxes = { python: null, javascript: null }

/** By role, what has set itself up and run nothing. */
type Slot = Partial<Record<Role, SandboxProcess>>

/** Told what fails while unused processes are ended, such as a folder that cannot be removed. */
export type TellFault = (error: unknown) => void

export const warnOfFault: TellFault = error => process.emitWarning(`A sandbox was not cleared: ${messageOf(error)}`)

export interface SandboxSettings {
  /** How long unused processes are kept before they are ended. */
  readonly idleMs?: number | undefined
  readonly tell?: TellFault | undefined
}

/** @param places how many checks run at a time */
export function createSandbox(tier: Tier, places: number, { idleMs = usualIdleMs, tell = warnOfFault }: SandboxSettings = {}): Sandbox {
  const free: Slot[] = Array.from({ length: places }, () => ({}))
  const slots = [...free]
  const queue: ((slot: Slot) => void)[] = []
  const closing = new Set<Promise<void>>()
  let idle: NodeJS.Timeout | null = null

  const end = (process: SandboxProcess | undefined) => {
    if (!process) return
    const gone = process
      .close()
      .catch(tell)
      .finally(() => closing.delete(gone))
    closing.add(gone)
  }
  const clear = async () => {
    for (const slot of slots) {
      end(slot.candidate)
      end(slot.checker)
      delete slot.candidate
      delete slot.checker
    }
    await Promise.all(closing)
    if (free.length === slots.length) await tier.close()
  }
  const take = (): Promise<Slot> => {
    if (idle) clearTimeout(idle)
    idle = null
    const slot = free.pop()
    return slot ? Promise.resolve(slot) : new Promise(resolve => queue.push(resolve))
  }
  const giveBack = (slot: Slot) => {
    const next = queue.shift()
    if (next) return next(slot)
    free.push(slot)
    if (free.length === slots.length) idle = setTimeout(guarded(clear, tell), idleMs).unref()
  }

  const attempt = async <Result>(slot: Slot, work: (room: Room) => Promise<Result>): Promise<Result> => {
    const current: Slot = {}
    const next = (role: Role) => {
      end(current[role])
      const spare = slot[role]
      if (spare?.isOver()) end(spare)
      const process = spare && !spare.isOver() ? spare : tier.start(role)
      current[role] = process
      // The next one sets itself up while this one works.
      slot[role] = tier.start(role)
      return process
    }
    try {
      return await work({ tier, candidate: () => next('candidate'), checker: () => next('checker') })
    } finally {
      end(current.candidate)
      end(current.checker)
    }
  }

  return {
    tier,
    use: async work => {
      const slot = await take()
      try {
        return await attempt(slot, work)
      } catch (error) {
        if (!(error instanceof SandboxLostError)) throw error
        end(slot.candidate)
        end(slot.checker)
        delete slot.candidate
        delete slot.checker
        tier.renew()
        return await attempt(slot, work)
      } finally {
        giveBack(slot)
      }
    },
    close: async () => {
      if (idle) clearTimeout(idle)
      await clear()
      await tier.close()
    },
  }
}
