import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { runNode, runTool } from './run-tool.ts'

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

/** One step; its exit code is its verdict. */
function run(name: string, step: () => number): boolean {
  console.log(`\n── ${name}`)
  const started = performance.now()
  const code = step()
  console.log(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return code === 0
}

const VitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numFailedTestSuites: z.int(),
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) })),
})

function countVitest(tally: Tally, ok: boolean): void {
  const report = readReport(VitestReport, `${cache}/vitest.json`)
  tally.passed += report?.numPassedTests ?? 0
  tally.failed += Math.max(report?.numFailedTests ?? 0, ok ? 0 : 1)
  for (const file of report?.testResults ?? []) {
    for (const test of file.assertionResults) if (test.status === 'skipped' || test.status === 'pending') tally.skipped.push(test.fullName)
  }
}

const PlaywrightReport = z.object({ stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }) })

function countPlaywright(tally: Tally, ok: boolean): void {
  const report = readReport(PlaywrightReport, `${cache}/playwright.json`)
  tally.passed += report?.stats.expected ?? 0
  tally.failed += Math.max((report?.stats.unexpected ?? 0) + (report?.stats.flaky ?? 0), ok ? 0 : 1)
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

const tally: Tally = { passed: 0, failed: 0, skipped: [] }
const check = (name: string, step: () => number) => {
  if (run(name, step)) tally.passed++
  else tally.failed++
}

rmSync(`${root}/${cache}`, { recursive: true, force: true })
mkdirSync(`${root}/${cache}`, { recursive: true })
check('format', () => runTool('biome', ['format', '.']))
check('types', () => runTool('tsc', ['-b']))
check('lint', () => runTool('oxlint', ['--type-aware', 'src', 'test']))
check('dead code', () => runTool('knip', []))
check('build', () => runTool('electron-vite', ['build', '--logLevel', 'warn']))
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

if (tally.skipped.length > 0) console.log(`\nSkipped:\n${tally.skipped.map(name => `  ${name}`).join('\n')}`)
console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
process.exitCode = tally.failed > 0 ? 1 : 0
