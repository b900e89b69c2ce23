import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../storage/database.ts'
import type { ServiceConfig } from './config.ts'
import type { Host } from './host.ts'

/** Time is given, never taken, so that tests decide what it is. */
export interface Clock {
  now(): Date
}

export interface Ids {
  /** A new UUIDv7. */
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
}

export const systemClock: Clock = { now: () => new Date() }

export function idsFrom(clock: Clock): Ids {
  return { next: () => uuidv7({ msecs: clock.now().getTime() }) }
}

/** Present time as the contract writes it. */
export function timestamp(clock: Clock): string {
  return clock.now().toISOString()
}
