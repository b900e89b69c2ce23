import { z } from 'zod'
import { command } from '../../sandbox/converse.ts'
import type { SandboxProcess } from '../../sandbox/sandbox-process.ts'
import type { AssertionResult } from '../promptfoo/assertions.ts'
import {
  type Assertion,
  checkLeaf,
  gradeCase,
  leavesOf,
  metricOption,
  noAssertions,
  type Script,
  type Silence,
  TestCase,
} from '../promptfoo/case.ts'
import { pythonScriptRunner, scriptRunner } from '../promptfoo/script-runner.ts'
import type { Language } from '../../sandbox/tier.ts'
import type { ScoreInput } from '../scorer.ts'
import { unscored } from '../verdict.ts'
import type { CodeScorer } from './code-scorer.ts'
import { seconds } from './run-tests.ts'

/** For one script. */
const limitMs = 10_000

type Result = AssertionResult | Silence

/** Both metrics of a case ask for the same results; its scripts run once. */
const checked = new WeakMap<ScoreInput, Promise<readonly Result[]>>()

const options = metricOption.extend({
  /** What the scripts of the tests are written in. */
  language: z.enum(['javascript', 'python']).default('javascript'),
})

export const promptfooTest: CodeScorer<z.output<typeof options>> = {
  id: 'promptfoo/test_with_scripts',
  version: 3,
  title: 'promptfoo test case with scripts',
  description:
    'All assertions of a task together, as in promptfoo. JavaScript or Python, and transforms, run in the sandbox, with the output and the variables of the test.',
  options,
  language: ({ language }) => language,
  grade: async (input, { metric }, sandbox) => {
    const parsed = TestCase.safeParse(input.metadata)
    if (!parsed.success) return unscored(noAssertions)
    const results = checked.get(input) ?? sandbox.use(room => checkAll(parsed.data, input, room.candidate(), sandbox.tier.language))
    checked.set(input, results)
    return gradeCase(parsed.data, input.output, await results, metric)
  },
}

async function checkAll(
  test: TestCase,
  { output, measured }: ScoreInput,
  process: SandboxProcess,
  language: Language,
): Promise<readonly Result[]> {
  const leaves = leavesOf(test.assertions)
  const loaded = await command(process, { op: 'load', source: language === 'python' ? pythonScriptRunner : scriptRunner }, limitMs)
  if (loaded.kind !== 'value') return leaves.map(() => ({ unknown: 'The sandbox did not start the scripts of the test.' }))
  const context = test.context ?? {}
  const run: Run = (script, value, threshold) => runScript(process, language, { script, output: value, context, threshold })
  const given = await changedBy(test.transform, output, run)
  const results: Result[] = []
  for (const leaf of leaves) results.push('unknown' in given ? given : await checkOne(leaf, given.value, measured, run))
  return results
}

type Run = (script: Script, value: unknown, threshold?: number) => Promise<{ readonly value: unknown } | Failure | Silence>

async function changedBy(transform: Script | undefined, value: unknown, run: Run): Promise<{ readonly value: unknown } | Silence> {
  const changed = transform ? await run(transform, value) : { value }
  if ('failed' in changed) return { unknown: `A transform of the test failed: ${changed.failed}` }
  return 'value' in changed && changed.value === null ? { unknown: 'A transform of the test returned nothing.' } : changed
}

async function checkOne({ transform, ...leaf }: Assertion, output: unknown, measured: ScoreInput['measured'], run: Run): Promise<Result> {
  const changed = await changedBy(transform, output, run)
  if ('unknown' in changed) return changed
  const { value } = changed
  if (!leaf.script) return checkLeaf(leaf, typeof value === 'string' ? value : JSON.stringify(value), measured)
  const said = await run(leaf.script, value, leaf.threshold)
  if ('unknown' in said) return said
  return 'failed' in said ? { pass: false, score: 0 } : resultOf(said.value, leaf)
}

interface Failure {
  readonly failed: string
}

const Said = z.union([z.object({ failed: z.string() }), z.object({ unknown: z.string() }), z.object({ value: z.unknown() })])

/** What a script returns. A promise is settled by the jobs that run before its value is asked for. */
async function runScript(
  process: SandboxProcess,
  language: Language,
  {
    context,
    ...rest
  }: {
    readonly script: Script
    readonly output: unknown
    readonly context: Readonly<Record<string, unknown>>
    readonly threshold: number | undefined
  },
): ReturnType<Run> {
  const { config } = rest.script
  const told = JSON.stringify({ ...rest, context: { ...context, ...(config !== undefined && { config }) } })
  const call = (target: string, args: readonly string[]) => command(process, { op: 'call', target, args }, limitMs)
  if (language === 'javascript') await call('beginScript', [told])
  const reply = await (language === 'javascript' ? call('endScript', []) : call('run_script', [told]))
  if (reply.kind === 'timeout') return { unknown: `A script of the test did not end within ${seconds(limitMs)}.` }
  const said = Said.safeParse(reply.kind === 'value' && typeof reply.value === 'string' ? JSON.parse(reply.value) : null)
  return said.data ?? { unknown: 'A script of the test ended the sandbox.' }
}

const GradingResult = z.object({ pass: z.boolean(), score: z.number(), reason: z.string() })

/** Booleans say pass or fail, numbers are the score, objects say both, and anything else fails. Scores are kept within 0 and 1. */
function resultOf(value: unknown, { type, threshold }: Pick<Assertion, 'type' | 'threshold'>): AssertionResult {
  const isInverse = type.startsWith('not-')
  const object = GradingResult.safeParse(value).data
  if (typeof value !== 'boolean' && typeof value !== 'number' && !object) return { pass: false, score: 0 }
  const isPassed =
    typeof value === 'boolean'
      ? value
      : typeof value === 'number'
        ? threshold === undefined
          ? value > 0
          : value >= threshold
        : object?.pass
  const pass = isPassed !== isInverse
  const score = typeof value === 'number' ? value : (object?.score ?? (pass ? 1 : 0))
  return { pass, score: Math.min(1, Math.max(0, score)) }
}
