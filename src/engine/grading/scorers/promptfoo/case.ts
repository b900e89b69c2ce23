import { z } from 'zod'
import type { Measured, Score } from '../scorer.ts'
import { graded, judged, quote, unscored } from '../verdict.ts'
import { type AssertionResult, prepareAssertion } from './assertions.ts'

/** JavaScript that a test brings: an expression or the body of a function, or with `export` a module that exports a function. */
const Script = z.strictObject({ code: z.string(), export: z.string().optional(), config: z.unknown().optional() })
export type Script = z.infer<typeof Script>

const Part = {
  type: z.string(),
  value: z.unknown().optional(),
  threshold: z.number().optional(),
  weight: z.number().min(0).default(1),
  script: Script.optional(),
  transform: Script.optional(),
}

/** One assertion; a set has its own, and its score is the weighted mean of theirs. */
export type Assertion = z.infer<typeof Assertion>
const Assertion = z.object({ ...Part, assert: z.array(z.object(Part)).optional() })

/** What a task of promptfoo must meet, in its metadata. */
export const TestCase = z.object({
  assertions: z.array(Assertion).min(1),
  /** The score from which the case passes; without it every assertion must. */
  threshold: z.number().optional(),
  /** What scripts are told about the test. */
  context: z.record(z.string(), z.unknown()).optional(),
  /** Changes the output before it is graded. */
  transform: Script.optional(),
})
export type TestCase = z.infer<typeof TestCase>

/** Why an assertion says nothing. */
export interface Silence {
  readonly unknown: string
}

export const metricOption = z.strictObject({
  /** Whether the case passes, or its score between 0 and 1. */
  metric: z.enum(['pass', 'score']).default('pass'),
})

export const noAssertions = 'The task has no assertion that can be graded here, so it is asked and not graded.'

/** The assertions that are checked; sets only gather theirs. */
export function leavesOf(assertions: readonly Assertion[]): readonly Assertion[] {
  return assertions.flatMap(one => one.assert ?? [one])
}

/** What an assertion that needs no script says. */
export function checkLeaf(
  { type, value, threshold }: Assertion,
  output: string,
  measured: Measured | undefined,
): AssertionResult | Silence {
  const figure = /^(?:not-)?(latency|cost)$/.exec(type)?.[1]
  if (figure === undefined) return prepareAssertion({ type, value, threshold })(output)
  const known = figure === 'latency' ? measured?.latencyMs : measured?.costUsd
  if (known == null) return { unknown: `The ${figure} of this answer is not known, which an assertion of the test needs.` }
  const isWithin = known <= (threshold ?? Infinity)
  const pass = type.startsWith('not-') ? !isWithin : isWithin
  return { pass, score: pass ? 1 : 0 }
}

/** The verdict on a case. @param results what each of its leaves says, in their order */
export function gradeCase(
  { assertions, threshold }: TestCase,
  output: string,
  results: readonly (AssertionResult | Silence)[],
  metric: 'pass' | 'score',
): Score {
  const leaves = leavesOf(assertions)
  const known = new Map<Assertion, AssertionResult>()
  for (const [i, leaf] of leaves.entries()) {
    const result = results[i] ?? { unknown: 'An assertion was not checked.' }
    if ('unknown' in result) return unscored(result.unknown)
    known.set(leaf, result)
  }
  const resultFor = (one: Assertion): AssertionResult => known.get(one) ?? combined(one.assert ?? [], one.threshold, resultFor)
  const { pass, score } = combined(assertions, threshold, resultFor)
  const failed = leaves.filter(leaf => known.get(leaf)?.pass === false).map(({ type }) => quote(type))
  const detail = {
    answer: output,
    explanation: failed.length === 0 ? 'Every assertion passes.' : `These assertions fail: ${failed.join(', ')}.`,
    values: { pass: pass ? 1 : 0, score },
  }
  return metric === 'pass' ? judged(pass, detail) : graded(score, detail)
}

/** The weighted mean of some assertions. One of weight 0 cannot fail, but a set of weight 0 can, as in promptfoo. */
function combined(
  assertions: readonly Assertion[],
  threshold: number | undefined,
  resultFor: (one: Assertion) => AssertionResult,
): AssertionResult {
  const results = assertions.map(one => ({ weight: one.weight, canFail: one.weight !== 0 || one.assert !== undefined, ...resultFor(one) }))
  const weights = results.reduce((sum, { weight }) => sum + weight, 0)
  const score = weights === 0 ? 0 : results.reduce((sum, result) => sum + result.score * result.weight, 0) / weights
  return { score, pass: threshold === undefined ? results.every(({ pass, canFail }) => pass || !canFail) : score >= threshold }
}
