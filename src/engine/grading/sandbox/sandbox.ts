import type { SandboxProcess } from './sandbox-process.ts'
import type { ByLanguage, Role, Tier } from './tier.ts'

/** How long unused processes are kept before they are ended. */
const idleMs = 20_000

/** The processes of one check. They are gone when the check ends. */
export interface Room {
  readonly tier: Tier
  /** A process that has run nothing yet; the one before it is killed. */
  candidate(): SandboxProcess
  /** A process for a task's own tests. It has never run model-written code, so it serves many checks. */
  checker(): SandboxProcess
  /** The checker broke: the next one asked for is new. */
  dropChecker(): void
}

/** A few places in which model-written code is run, each by itself. */
export interface Sandbox {
  readonly tier: Tier
  use<Result>(work: (room: Room) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** The sandboxes that are open. */
export type Sandboxes = ByLanguage<Sandbox>

export const noSandboxes: Sandboxes = { python: null, javascript: null }

interface Slot {
  spare: SandboxProcess | null
  checker: SandboxProcess | null
}

/** @param places how many checks run at a time */
export function createSandbox(tier: Tier, places: number): Sandbox {
  const free: Slot[] = Array.from({ length: places }, () => ({ spare: null, checker: null }))
  const slots = [...free]
  const queue: ((slot: Slot) => void)[] = []
  const closing = new Set<Promise<void>>()
  let idle: NodeJS.Timeout | null = null

  const end = (process: SandboxProcess | null) => {
    if (!process) return
    const gone = process.close().finally(() => closing.delete(gone))
    closing.add(gone)
  }
  const clear = () => {
    for (const slot of slots) {
      end(slot.spare)
      end(slot.checker)
      slot.spare = null
      slot.checker = null
    }
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
    if (free.length === slots.length) idle = setTimeout(clear, idleMs).unref()
  }

  return {
    tier,
    use: async work => {
      const slot = await take()
      let candidate: SandboxProcess | null = null
      const start = (role: Role) => tier.start(role)
      try {
        return await work({
          tier,
          candidate: () => {
            end(candidate)
            candidate = slot.spare ?? start('candidate')
            // The next one sets itself up while this one works.
            slot.spare = start('candidate')
            return candidate
          },
          checker: () => (slot.checker ??= start('checker')),
          dropChecker: () => {
            end(slot.checker)
            slot.checker = null
          },
        })
      } finally {
        end(candidate)
        giveBack(slot)
      }
    },
    close: async () => {
      if (idle) clearTimeout(idle)
      clear()
      await Promise.all(closing)
    },
  }
}
