import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { PlaywrightVerdicts, playwrightFailures, VitestVerdicts, vitestFailures } from './failed-tests.ts'
import { runNode, runTool, runToolAside, runToolInFront, type Tool } from './run-tool.ts'
import { describeSlowest, type FileTime, PlaywrightTimes, playwrightTimes, VitestTimes, vitestTimes } from './slowest-files.ts'
import { messageOf } from '../../src/lib/message-of.ts'

/**
 * Everything that must hold, in the order in which a failure is cheapest to see. Ends with `N passed, N failed` alone on a line
 * and exit code 1 when anything failed.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = '.cache/test'

interface Tally {
  passed: number
  failed: number
  readonly skipped: string[]
  /** A line for each failure. */
  readonly failures: string[]
}

const secondsSince = (started: number) => ((performance.now() - started) / 1000).toFixed(1)

/** One step; its exit code is its verdict. */
async function run(name: string, step: () => number | Promise<number>): Promise<boolean> {
  console.log(`\n── ${name}`)
  const started = performance.now()
  const code = await step()
  console.log(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} in ${secondsSince(started)} s`)
  return code === 0
}

const VitestReport = VitestTimes.and(VitestVerdicts).and(
  z.object({ numPassedTests: z.int(), numFailedTests: z.int(), numFailedTestSuites: z.int() }),
)

function countVitest(tally: Tally, ok: boolean): void {
  const report = readReport(VitestReport, `${cache}/vitest.json`)
  tally.passed += report?.numPassedTests ?? 0
  tally.failed += Math.max(report?.numFailedTests ?? 0, ok ? 0 : 1)
  if (report) {
    times.push(...vitestTimes(report, root))
    tally.failures.push(...vitestFailures(report, root))
  }
  for (const file of report?.testResults ?? []) {
    for (const test of file.assertionResults) if (test.status === 'skipped' || test.status === 'pending') tally.skipped.push(test.fullName)
  }
}

const PlaywrightReport = PlaywrightTimes.and(PlaywrightVerdicts).and(
  z.object({ stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }) }),
)

function countPlaywright(tally: Tally, ok: boolean): void {
  const report = readReport(PlaywrightReport, `${cache}/playwright.json`)
  tally.passed += report?.stats.expected ?? 0
  tally.failed += Math.max((report?.stats.unexpected ?? 0) + (report?.stats.flaky ?? 0), ok ? 0 : 1)
  if (report) {
    times.push(...playwrightTimes(report))
    tally.failures.push(...playwrightFailures(report))
  }
  if (report && report.stats.skipped > 0) tally.skipped.push(`${report.stats.skipped} browser tests (reasons above)`)
}

function readReport<T>(schema: z.ZodType<T>, path: string): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(`${root}/${path}`, 'utf8')))
  } catch (error) {
    console.error(`The report ${path} cannot be read: ${messageOf(error)}`)
    return null
  }
}

const times: FileTime[] = []
const tally: Tally = { passed: 0, failed: 0, skipped: [], failures: [] }
const count = (name: string, ok: boolean) => {
  if (ok) tally.passed++
  else {
    tally.failed++
    tally.failures.push(name)
  }
}
const check = async (name: string, step: () => number) => {
  count(name, await run(name, step))
}

/** A step beside others; what it prints comes in one piece when it has ended. */
const checkAside = async (name: string, tool: Tool, args: readonly string[]) => {
  const started = performance.now()
  const { code, printed } = await runToolAside(tool, args)
  console.log(`\n── ${name}`)
  if (printed.trim() !== '') console.log(printed.trimEnd())
  console.log(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} in ${secondsSince(started)} s`)
  count(name, code === 0)
}

rmSync(`${root}/${cache}`, { recursive: true, force: true })
mkdirSync(`${root}/${cache}`, { recursive: true })
await checkAside('format', 'biome', ['format', '.'])
// Some tests read what is built.
await checkAside('build', 'electron-vite', ['build', '--logLevel', 'warn'])
/** Tests wait for processes and disks a third of their time, which these two put to use. */
const staticChecks = (async () => {
  // One pass of the compiler serves both.
  await checkAside('types and lint', 'oxlint', ['--type-aware', '--type-check', 'src', 'test'])
  await checkAside('dead code', 'knip', [])
})()
const vitest = await run('tests', () =>
  runToolInFront('vitest', [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${cache}/vitest.json`,
  ]),
)
await staticChecks
countVitest(tally, vitest)
await check('browser', () => runNode(['test/support/ensure-chromium.ts']))
const browser = await run('browser tests', () =>
  runTool('playwright', ['test', '--config', 'test/playwright.config.ts', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: `${root}/${cache}/playwright.json`,
  }),
)
countPlaywright(tally, browser)

console.log(`\nThe slowest files (how to keep them fast: src/ADDING.md, "Fast tests"):\n${describeSlowest(times, 20).join('\n')}`)
if (tally.skipped.length > 0) console.log(`\nSkipped:\n${tally.skipped.map(name => `  ${name}`).join('\n')}`)
if (tally.failures.length > 0) console.log(`\nFailed:\n${tally.failures.map(name => `  ${name}`).join('\n')}`)
console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
process.exitCode = tally.failed > 0 ? 1 : 0
