import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { testsNear } from './near-tests.ts'
import { runTool, runToolAside } from './run-tool.ts'

/**
 * What changed, checked: `npm run check`, or `npm run check -- <commit>` for everything since it. Without one, since the branch left
 * `main`; on `main` itself, since the last commit.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const lines = (text: string) => text.split('\n').filter(line => line !== '')

const since = process.argv[2] ?? (git('rev-parse', '--abbrev-ref', 'HEAD') === 'main' ? 'HEAD' : git('merge-base', 'HEAD', 'main'))
const changed = [
  ...lines(git('diff', '--name-only', '--diff-filter=d', since)),
  ...lines(git('ls-files', '--others', '--exclude-standard')),
].filter(file => existsSync(`${root}/${file}`))
const modules = changed.filter(file => /^(?:src|test)\/.*\.[cm]?tsx?$/.test(file))
const tests = globSync('test/**/*.test.{ts,tsx}', { cwd: root }).map(file => ({ file, text: readFileSync(`${root}/${file}`, 'utf8') }))
const near = testsNear(changed, tests)
console.log(`${changed.length} files changed since ${since}; ${near.length} test files are near them.`)

const failed: string[] = []
const note = (name: string, code: number) => {
  console.log(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'}`)
  if (code !== 0) failed.push(name)
}
const types = runToolAside('tsc', ['-b'])
note('format', changed.length === 0 ? 0 : runTool('biome', ['format', '--no-errors-on-unmatched', ...changed]))
note('lint', modules.length === 0 ? 0 : runTool('oxlint', ['--type-aware', ...modules]))
if (near.length > 0) note('tests', runTool('vitest', ['run', '--config', 'test/vitest.config.ts', ...near]))
const { code, printed } = await types
if (printed.trim() !== '') console.log(printed.trimEnd())
note('types', code)
console.log(failed.length === 0 ? 'All is well; `npm test` checks the rest.' : `Failed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
