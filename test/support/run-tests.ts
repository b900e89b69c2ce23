import { runTool } from './run-tool.ts'

/**
 * The tests with settings given as `NAME=value` before the arguments: `run-tests.ts ASSAY_KILLS=50 test/faults`. A script of npm that
 * begins with `NAME=value` itself is understood by POSIX shells alone.
 */
const given = process.argv.slice(2)
const settings = given.filter(argument => /^[A-Z_]+=/.test(argument))
const paths = given.slice(settings.length)
const env = Object.fromEntries(settings.map(setting => [setting.slice(0, setting.indexOf('=')), setting.slice(setting.indexOf('=') + 1)]))
process.exitCode = runTool('vitest', ['run', '--config', 'test/vitest.config.ts', ...paths], env)
