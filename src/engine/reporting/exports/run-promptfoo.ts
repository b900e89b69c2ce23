import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import { exportedMetrics } from '../../tasks/exported-metrics.ts'
import type { ReportSample } from '../report/report-sample.ts'
import { type Outcome, outcomeOf, primaryScore, reasonOf } from './outcome.ts'
import type { Samples, WriteBytes } from './samples.ts'

/**
 * Results of promptfoo, version 3: each profile a prompt, each sample a test. What has no verdict is an error there, since promptfoo knows
 * only passed, failed and error. The assertions record Assay's verdicts; promptfoo cannot compute them again, and says so when it is told to.
 */
export async function renderRunPromptfoo(results: Results, samples: Samples, write: WriteBytes): Promise<void> {
  const { profiles, model } = results.reproducibility
  const tallies = await tallyOf(samples)
  await write(
    `{"evalId":${JSON.stringify(`eval-assay-${results.run_id}-v${results.result_version}`)},"results":{"version":3,"timestamp":${JSON.stringify(results.created_at)},`,
  )
  await write(
    `"prompts":${JSON.stringify(profiles.map(profile => describePrompt(profile, model.model, tallies.get(profile.profile_id) ?? noTally)))},"results":[`,
  )
  let testIdx = 0
  for await (const sample of samples()) {
    const promptIdx = profiles.findIndex(one => one.profile_id === sample.profile_id)
    const profile = profiles[promptIdx]
    if (!profile) throw new RangeError(`The sample ${sample.id} has the profile ${sample.profile_id}, which the run does not have.`)
    await write(`${testIdx === 0 ? '\n' : ',\n'}${JSON.stringify(describeResult(sample, profile, promptIdx, testIdx, results))}`)
    testIdx++
  }
  const total = [...tallies.values()].reduce(add, noTally)
  const stats = {
    successes: total.passed,
    failures: total.failed,
    errors: total.errors,
    tokenUsage: tokenUsage(total.input, total.output, testIdx),
  }
  await write(`\n],"stats":${JSON.stringify(stats)}},"config":${JSON.stringify(describeConfig(results))},"shareableUrl":null,`)
  await write(`"metadata":${JSON.stringify(describeMetadata(results))}}\n`)
}

interface Tally {
  readonly passed: number
  readonly failed: number
  readonly errors: number
  readonly score: number
  readonly latency: number
  /** Null as soon as one sample’s is unknown. */
  readonly input: number | null
  readonly output: number | null
}
const noTally: Tally = { passed: 0, failed: 0, errors: 0, score: 0, latency: 0, input: 0, output: 0 }

async function tallyOf(samples: Samples): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>()
  for await (const sample of samples()) {
    const outcome = outcomeOf(sample)
    const own: Tally = {
      passed: outcome === 'passed' ? 1 : 0,
      failed: outcome === 'failed' ? 1 : 0,
      errors: outcome === 'unscored' || outcome === 'not_answered' ? 1 : 0,
      score: sample.passed === true ? 1 : 0,
      latency: sample.latency_ms ?? 0,
      input: sample.input_tokens,
      output: sample.output_tokens,
    }
    tallies.set(sample.profile_id, add(tallies.get(sample.profile_id) ?? noTally, own))
  }
  return tallies
}

function add(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    errors: a.errors + b.errors,
    score: a.score + b.score,
    latency: a.latency + b.latency,
    input: sum(a.input, b.input),
    output: sum(a.output, b.output),
  }
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

/** A count that is unknown is left out: every field is optional there. */
function tokenUsage(prompt: number | null, completion: number | null, requests: number) {
  const total = sum(prompt, completion)
  return {
    ...(total === null ? {} : { total }),
    ...(prompt === null ? {} : { prompt }),
    ...(completion === null ? {} : { completion }),
    numRequests: requests,
  }
}

function describePrompt({ title, profile_id: id }: FrozenProfile, provider: string, tally: Tally) {
  const tests = tally.passed + tally.failed + tally.errors
  return {
    raw: title,
    label: id,
    id,
    provider,
    metrics: {
      score: tally.score,
      testPassCount: tally.passed,
      testFailCount: tally.failed,
      testErrorCount: tally.errors,
      assertPassCount: tally.passed,
      assertFailCount: tally.failed,
      totalLatencyMs: tally.latency,
      tokenUsage: tokenUsage(tally.input, tally.output, tests),
      namedScores: {},
      namedScoresCount: {},
      // Required there; the costs of the results are left out, since promptfoo has no word for an unknown one.
      cost: 0,
    },
  }
}

const failureReasons: Readonly<Record<Outcome, 0 | 1 | 2>> = { passed: 0, failed: 1, unscored: 2, not_answered: 2 }

function describeResult(sample: ReportSample, profile: FrozenProfile, promptIdx: number, testIdx: number, { reproducibility }: Results) {
  const outcome = outcomeOf(sample)
  const primary = primaryScore(sample, profile)
  const scored = sample.status === 'scored' ? sample.score_details.filter(({ value }) => value !== null) : []
  const [only, ...others] = sample.messages
  const raw = typeof only?.content === 'string' && others.length === 0 ? only.content : JSON.stringify(sample.messages)
  const vars = { task_id: sample.task_id, epoch: sample.epoch }
  const isError = failureReasons[outcome] === 2
  return {
    id: sample.id,
    promptIdx,
    testIdx,
    testCase: { description: sample.task_id, vars, assert: profile.metrics.map(assertionOf), metadata: { targets: sample.targets } },
    promptId: profile.profile_id,
    provider: { id: reproducibility.model.model, label: reproducibility.model.title },
    prompt: { raw, label: profile.profile_id },
    vars,
    ...(sample.output === null
      ? {}
      : {
          response: {
            output: sample.output,
            tokenUsage: tokenUsage(sample.input_tokens, sample.output_tokens, 1),
            cached: sample.cached,
          },
        }),
    ...(isError ? { error: reasonOf(sample, profile) } : {}),
    failureReason: failureReasons[outcome],
    success: outcome === 'passed',
    score: primary?.value ?? 0,
    latencyMs: sample.latency_ms ?? 0,
    gradingResult: isError
      ? null
      : {
          pass: outcome === 'passed',
          score: primary?.value ?? 0,
          reason: primary?.explanation ?? '',
          namedScores: Object.fromEntries(scored.map(({ metric, value }) => [metric, value])),
          tokensUsed: tokenUsage(0, 0, 0),
          componentResults: scored.map(({ metric, value, explanation }) => {
            const definition = profile.metrics.find(({ id }) => id === metric)
            return {
              pass: value === 1,
              score: value ?? 0,
              reason: explanation,
              ...(definition ? { assertion: assertionOf(definition) } : {}),
            }
          }),
        },
    namedScores: Object.fromEntries(scored.map(({ metric, value }) => [metric, value])),
    metadata: { assay_sample_id: sample.id },
  }
}

/** Run again by promptfoo it throws, so that no verdict is made up. */
function assertionOf({ id, scorer, scorer_version: version, primary }: FrozenProfile['metrics'][number]) {
  const reason = `Graded by Assay with ${scorer}, version ${version}; promptfoo cannot grade it again.`
  return { type: 'javascript', value: `// ${reason}\nthrow new Error(${JSON.stringify(reason)})`, metric: id, weight: primary ? 1 : 0 }
}

function describeConfig({ name, reproducibility }: Results) {
  return {
    description: name,
    prompts: reproducibility.profiles.map(({ profile_id: label, title }) => ({ raw: title, label })),
    providers: [{ id: reproducibility.model.model, label: reproducibility.model.title }],
    tests: [],
  }
}

function describeMetadata({ created_at: created, reproducibility }: Results) {
  return {
    promptfooVersion: 'none',
    nodeVersion: 'none',
    platform: 'assay',
    exportedAt: created,
    evaluationCreatedAt: created,
    assay: {
      app_version: reproducibility.app_version,
      metrics: exportedMetrics(reproducibility.profiles.flatMap(({ metrics }) => metrics)),
    },
  }
}
