import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { ServiceConfig } from './config.ts'
import { openLogFile } from './lifecycle/log-file.ts'

export interface Log {
  readonly log: Logger
  /** Writes what is still held back. */
  close(): void
}

/**
 * Structured lines in `<data-dir>/logs/service.log`; lines about a request carry its id as `reqId`. Headers and bodies are never
 * logged, so no secret can be.
 */
export function createLog(config: ServiceConfig): Log {
  if (config.logLevel === 'silent') return { log: pino({ level: 'silent' }), close: () => {} }
  const file = openLogFile(join(config.dataDir, 'logs', 'service.log'))
  return { log: pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, file), close: () => file.close() }
}
