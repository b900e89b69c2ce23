import { setTimeout as delay } from 'node:timers/promises'
import { createLimiters, type LimiterPorts } from '../../engine/execution/scheduler/limiters.ts'
import type { Kernel } from '../kernel.ts'
import { createOutageStore } from './pauses.store.ts'

/** Real clocks and randomness, and stored outages. */
export function limiterPorts({ clock, db, storage }: Pick<Kernel, 'clock' | 'db' | 'storage'>): LimiterPorts {
  return {
    now: () => clock.now().getTime(),
    monotonic: () => performance.now(),
    random: Math.random,
    sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    outages: createOutageStore(db, storage.attempt),
  }
}

/** Limits of every endpoint, shared by runs and evaluators. */
export const createRunLimiters = (kernel: Pick<Kernel, 'clock' | 'db' | 'storage'>) => createLimiters(limiterPorts(kernel))
