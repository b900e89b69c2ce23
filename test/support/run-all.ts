import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

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

/** One command of the project; its exit code is its verdict. */
function run(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): boolean {
  console.log(`\n── ${name}`)
  const started = performance.now()
  const { status, error } = spawnSync('npx', ['--no', ...args], { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  if (error) console.error(error.message)
  console.log(`── ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return status === 0
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
const check = (name: string, args: readonly string[]) => {
  if (run(name, args)) tally.passed++
  else tally.failed++
}

rmSync(`${root}/${cache}`, { recursive: true, force: true })
mkdirSync(`${root}/${cache}`, { recursive: true })
check('format', ['biome', 'format', '.'])
check('types', ['tsc', '-b'])
check('lint', ['oxlint', '--type-aware', 'src', 'test'])
check('dead code', ['knip'])
check('build', ['electron-vite', 'build', '--logLevel', 'warn'])
const vitest = run('tests', [
  'vitest',
  'run',
  '--config',
  'test/vitest.config.ts',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${cache}/vitest.json`,
])
countVitest(tally, vitest)
check('browser', ['node', 'test/support/ensure-chromium.ts'])
const browser = run('browser tests', ['playwright', 'test', '--config', 'test/playwright.config.ts', '--reporter=list,json'], {
  PLAYWRIGHT_JSON_OUTPUT_NAME: `${root}/${cache}/playwright.json`,
})
countPlaywright(tally, browser)

if (tally.skipped.length > 0) console.log(`\nSkipped:\n${tally.skipped.map(name => `  ${name}`).join('\n')}`)
console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
process.exitCode = tally.failed > 0 ? 1 : 0
