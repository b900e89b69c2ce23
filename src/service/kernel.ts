import { randomInt } from 'node:crypto'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { Throttle } from './auth/index.ts'
import type { Database } from '../storage/database.ts'
import type { ServiceConfig } from './config.ts'
import type { Host } from './host.ts'
import type { ConnectionLimits } from './http/connection-limits.ts'
import type { AccessPolicy } from './http/access-policy.ts'
import type { SecretValues } from './http/typed-text.ts'
import type { ReadTurns } from './http/read-turns.ts'
import type { WorkLimits } from './http/work-limits.ts'
import type { StorageHealth } from './lifecycle/storage-health.ts'

/** Time is given, never taken, so that tests decide what it is. */
export interface Clock {
  now(): Date
}

export interface Ids {
  /** A new UUIDv7, greater than every one before: listings sort by it. */
  next(): string
}

/** What every feature is built from. */
export interface Kernel {
  readonly config: ServiceConfig
  readonly host: Host
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly throttle: Throttle
  readonly connections: ConnectionLimits
  readonly storage: StorageHealth
  readonly reads: ReadTurns
  /** Of requests that change something, which do not wait for reads. */
  readonly writes: Pick<ReadTurns, 'wait'>
  readonly work: WorkLimits
  /** Large bodies of one caller that are held in memory at a time. */
  readonly bodies: Pick<WorkLimits, 'enter'>
  readonly secrets: SecretValues
  /** Addresses at which the service answers. @throws Error before it listens */
  accessPolicy(): AccessPolicy
  /** Stops the service, applies the change while the data is unused, and starts it again at the same address. */
  readonly restart: (change: () => void) => void
}

export const systemClock: Clock = { now: () => new Date() }

export function idsFrom(clock: Clock): Ids {
  let msecs = 0
  let seq = 0
  return {
    next: () => {
      const now = clock.now().getTime()
      if (now > msecs) {
        msecs = now
        // Half of the 32 bits stay free for what follows within the same millisecond, or while the clock is set back.
        seq = randomInt(2 ** 31)
      } else seq++
      return uuidv7({ msecs, seq })
    },
  }
}

/** Present time as the contract writes it. */
export function timestamp(clock: Clock): string {
  return clock.now().toISOString()
}
