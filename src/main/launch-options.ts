import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** What the command line may decide about one start of the desktop app. */
export interface LaunchOptions {
  /** Overrides the remembered data folder for this start only. */
  readonly dataDir: string | null
  /** 0 picks a free port; null keeps the usual one. */
  readonly port: number | null
}

/**
 * Reads `--data-dir DIR` and `--port N`. Switches of Chromium and of test drivers may be among the arguments and are ignored.
 * @throws RangeError when the port is not a whole number from 0 to 65535.
 */
export function parseLaunchOptions(args: readonly string[]): LaunchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { 'data-dir': { type: 'string' }, port: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  })
  const dataDir = values['data-dir']
  return { dataDir: typeof dataDir === 'string' && dataDir !== '' ? resolve(dataDir) : null, port: parsePort(values.port) }
}

function parsePort(value: string | boolean | undefined): number | null {
  if (value === undefined) return null
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (!(port <= 65_535)) throw new RangeError(`--port takes a whole number from 0 to 65535, not "${value}".`)
  return port
}

/** The arguments of a start that uses the remembered data folder. */
export function withoutDataDir(args: readonly string[]): string[] {
  return args.filter((arg, index) => arg !== '--data-dir' && !arg.startsWith('--data-dir=') && args[index - 1] !== '--data-dir')
}
