import { fileURLToPath } from 'node:url'
import { ensureBuilt } from '../../src/headless/ensure-built.ts'
import { runTool } from './run-tool.ts'

/**
 * The tests with settings given as `NAME=value` before the arguments: `run-tests.ts ASSAY_KILLS=50 test/faults`. A script of npm that
 * begins with `NAME=value` itself is understood by POSIX shells alone. An option after the script changes a setting that it has:
 * `npm run test:faults -- --kills 1000`.
 */
const given = process.argv.slice(2)
const stated = given.filter(argument => /^[A-Z_]+=/.test(argument))
const env = Object.fromEntries(stated.map(setting => [setting.slice(0, setting.indexOf('=')), setting.slice(setting.indexOf('=') + 1)]))
const passed: string[] = []
for (let i = stated.length; i < given.length; i++) {
  const argument = given[i] ?? ''
  const setting = Object.keys(env).find(name => argument === `--${name.slice(name.lastIndexOf('_') + 1).toLowerCase()}`)
  const value = given[i + 1]
  if (setting === undefined) passed.push(argument)
  else if (value !== undefined && /^[1-9][0-9]*$/.test(value)) {
    env[setting] = value
    i++
  } else throw new Error(`${argument} needs a whole number from 1, and got ${value ?? 'nothing'}.`)
}
// Each kill takes two starts of the service, and what is built starts in half to a fifth of the processor time.
if ('ASSAY_KILLS' in env) await ensureBuilt(fileURLToPath(new URL('../..', import.meta.url)))
process.exitCode = runTool('vitest', ['run', '--config', 'test/vitest.config.ts', ...passed], env)
