import { execFileSync, spawnSync } from 'node:child_process'
import { bundledContent } from '../support/bundled-content.ts'
import { linuxTier } from '../../src/engine/grading/sandbox/linux-tier.ts'
import { portableTier } from '../../src/engine/grading/sandbox/portable-tier.ts'
import { createSandbox } from '../../src/engine/grading/sandbox/sandbox.ts'
import { selfTest } from '../../src/engine/grading/sandbox/self-test.ts'
import type { Tier } from '../../src/engine/grading/sandbox/tier.ts'
import { prepareCodeScorer } from '../../src/engine/grading/scorers/code/code-scorers.ts'
import { prepareScorer } from '../../src/engine/grading/scorers/registry.ts'
import { sandboxFiles } from '../engine/grading/sandbox/files.ts'
import { hasSharedData, sharedLines } from '../support/shared-data.ts'

/**
 * How long code takes in each tier, against the same code run by Python one process after another without a sandbox. 164 checks of
 * HumanEval where its data is beside the repository, otherwise as many of the bundled functions.
 */
interface Check {
  readonly output: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** The same check as one script. */
  readonly script: string
}

const places = 2
const checks = hasSharedData ? humaneval() : bundled()
const row = (what: string, ms: number, more = '') => console.log(`${what.padEnd(58)} ${(ms / 1000).toFixed(2).padStart(8)} s  ${more}`)

console.log(`${checks.length} checks of ${hasSharedData ? 'HumanEval' : 'the bundled functions'}, ${places} at a time in a sandbox\n`)
const plain = unsandboxed()
row('Python without a sandbox, one after another', plain)
for (const find of [linuxTier, portableTier]) {
  let started = performance.now()
  const tier = await find(sandboxFiles)
  if (typeof tier === 'string') {
    console.log(`${find.name}: ${tier}`)
    continue
  }
  row(`${tier.title}: found`, performance.now() - started, tier.interpreter)
  started = performance.now()
  const { probes, failures } = await selfTest(tier)
  row(`${tier.title}: self-test`, performance.now() - started, `${probes - failures.length} of ${probes} probes refused`)
  const { ms, passed } = await sandboxed(tier)
  row(`${tier.title}: the checks`, ms, `${passed} passed, ${(ms / plain).toFixed(2)} times without a sandbox`)
}
// Once more, since a machine that is busy with other things changes under our hands.
row('Python without a sandbox, again', unsandboxed())
hostilePattern()

function unsandboxed(): number {
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
  const started = performance.now()
  for (const { script } of checks) {
    const { status } = spawnSync(python, ['-I', '-S', '-c', script])
    if (status !== 0) throw new Error('A check failed without a sandbox.')
  }
  return performance.now() - started
}

async function sandboxed(tier: Tier): Promise<{ ms: number; passed: number }> {
  const sandbox = createSandbox(tier, places)
  const grade = prepareCodeScorer({ scorer: 'evalplus/base' }, { python: sandbox, javascript: null })
  const started = performance.now()
  const scores = await Promise.all(checks.map(({ output, metadata }) => grade({ output, targets: [], metadata })))
  const ms = performance.now() - started
  await sandbox.close()
  return { ms, passed: scores.filter(({ value }) => value === 1).length }
}

/** A pattern that takes a backtracking engine for ever. */
function hostilePattern(): void {
  const score = prepareScorer({ scorer: 'inspect_ai/pattern', options: { pattern: '(a+)+$' } })
  const started = performance.now()
  score({ output: `${'a'.repeat(100_000)}!`, targets: ['a'] })
  row('A hostile pattern on 100,000 characters', performance.now() - started)
}

function humaneval(): Check[] {
  return sharedLines('humaneval/HumanEval.jsonl.gz').map(metadata => {
    const { prompt, canonical_solution: solution, test, entry_point: name } = metadata
    return { output: String(solution), metadata, script: `${String(prompt)}${String(solution)}\n${String(test)}\ncheck(${String(name)})` }
  })
}

function bundled(): Check[] {
  const tasks = bundledContent('everyday-programs').tasks
  return tasks.map(({ metadata }) => {
    const { canonical_solution: solution, test_list: tests } = metadata
    const base = { ...metadata, plus_input: undefined }
    const assertions = Array.isArray(tests) ? tests.join('\n') : ''
    return { output: String(solution), metadata: base, script: `${String(solution)}\n${assertions}` }
  })
}
