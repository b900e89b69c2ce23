import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { ServiceConfig } from './config.ts'

/** Structured lines in `<data-dir>/logs/service.log`. Headers and bodies are never logged, so no secret can be. */
export function createLog(config: ServiceConfig): Logger {
  if (config.logLevel === 'silent') return pino({ level: 'silent' })
  const folder = join(config.dataDir, 'logs')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const destination = pino.destination({ dest: join(folder, 'service.log'), sync: false, minLength: 4096, mode: 0o600 })
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}
