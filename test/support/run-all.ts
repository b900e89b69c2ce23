import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { runNode, runTool, runToolAside, type Tool } from './run-tool.ts'
import { describeSlowest, type FileTime, PlaywrightTimes, playwrightTimes, VitestTimes, vitestTimes } from './slowest-files.ts'

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
}

const secondsSince = (started: number) => ((performance.now() - started) / 1000).toFixed(1)

/** One step; its exit code is its verdict. */
function run(name: string, step: () => number): boolean {
  console.log(`\n── ${name}`)
  const started = performance.now()
  const code = step()
  console.log(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} in ${secondsSince(started)} s`)
  return code === 0
}

const VitestReport = VitestTimes.and(
  z.object({
    numPassedTests: z.int(),
    numFailedTests: z.int(),
    numFailedTestSuites: z.int(),
    testResults: z.array(z.object({ assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) })),
  }),
)

function countVitest(tally: Tally, ok: boolean): void {
  const report = readReport(VitestReport, `${cache}/vitest.json`)
  tally.passed += report?.numPassedTests ?? 0
  tally.failed += Math.max(report?.numFailedTests ?? 0, ok ? 0 : 1)
  if (report) times.push(...vitestTimes(report, root))
  for (const file of report?.testResults ?? []) {
    for (const test of file.assertionResults) if (test.status === 'skipped' || test.status === 'pending') tally.skipped.push(test.fullName)
  }
}

const PlaywrightReport = PlaywrightTimes.extend({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
})

function countPlaywright(tally: Tally, ok: boolean): void {
  const report = readReport(PlaywrightReport, `${cache}/playwright.json`)
  tally.passed += report?.stats.expected ?? 0
  tally.failed += Math.max((report?.stats.unexpected ?? 0) + (report?.stats.flaky ?? 0), ok ? 0 : 1)
  if (report) times.push(...playwrightTimes(report))
  if (report && report.stats.skipped > 0) tally.skipped.push(`${report.stats.skipped} browser tests (reasons above)`)
}

function readReport<T>(schema: z.ZodType<T>, path: string): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(`${root}/${path}`, 'utf8')))
  } catch (error) {
    console.error(`The report ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

const times: FileTime[] = []
const tally: Tally = { passed: 0, failed: 0, skipped: [] }
const check = (name: string, step: () => number) => {
  if (run(name, step)) tally.passed++
  else tally.failed++
}

/** A step beside others; what it prints comes in one piece when it has ended. */
const checkAside = async (name: string, tool: Tool, args: readonly string[]) => {
  const started = performance.now()
  const { code, printed } = await runToolAside(tool, args)
  console.log(`\n── ${name}`)
  if (printed.trim() !== '') console.log(printed.trimEnd())
  console.log(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} in ${secondsSince(started)} s`)
  if (code === 0) tally.passed++
  else tally.failed++
}

rmSync(`${root}/${cache}`, { recursive: true, force: true })
mkdirSync(`${root}/${cache}`, { recursive: true })
// Each of these uses one core most of the time, so that two lanes keep two cores busy.
await Promise.all([
  checkAside('lint', 'oxlint', ['--type-aware', 'src', 'test']),
  (async () => {
    await checkAside('format', 'biome', ['format', '.'])
    await checkAside('types', 'tsc', ['-b'])
    await checkAside('dead code', 'knip', [])
    await checkAside('build', 'electron-vite', ['build', '--logLevel', 'warn'])
  })(),
])
const vitest = run('tests', () =>
  runTool('vitest', [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${cache}/vitest.json`,
  ]),
)
countVitest(tally, vitest)
check('browser', () => runNode(['test/support/ensure-chromium.ts']))
const browser = run('browser tests', () =>
  runTool('playwright', ['test', '--config', 'test/playwright.config.ts', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: `${root}/${cache}/playwright.json`,
  }),
)
countPlaywright(tally, browser)

console.log(`\nThe slowest files (how to keep them fast: src/ADDING.md, "Fast tests"):\n${describeSlowest(times, 20).join('\n')}`)
if (tally.skipped.length > 0) console.log(`\nSkipped:\n${tally.skipped.map(name => `  ${name}`).join('\n')}`)
console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
process.exitCode = tally.failed > 0 ? 1 : 0
