import type { Estimate, MetricResult, Results } from '../../../../../src/contract/runs/results.schemas.ts'
import { wilsonBand } from '../../../../../src/charts/wilson-band.ts'
import type { FacetedSample } from '../../../../../src/engine/reporting/report/report-sample.ts'

/** A made-up run whose figures agree with its samples. Nothing here is random: the same count gives the same run. */

export const profileId = 'gsm8k@1:standard'

export function sampleId(position: number): string {
  return `0190a1b2-0000-7000-8000-${position.toString(16).padStart(12, '0')}`
}

/** Every sixth or so is wrong by format only, some fail, one in a while is missing. */
export function fixtureSample(position: number): FacetedSample {
  const noise = (position * 2654435761) % 1000
  const answer = String(10 + (position % 490))
  if (noise < 9) return failedSample(position)
  const flexible = noise < 620
  const strict = noise < 560
  const given = flexible ? answer : String(Number(answer) + 1)
  const working = `There are ${position % 7} boxes with ${answer} marbles in each of them.\nSo the working is: ${'step by step, '.repeat((noise % 12) + 2)}done.\n`
  const output = strict || !flexible ? `${working}#### ${given}` : `${working}The answer is ${given}.`
  const start = output.lastIndexOf(given)
  const span = { start, end: start + given.length }
  const score = (metric: string, title: string, right: boolean, found: boolean) => ({
    metric,
    title,
    scorer: `lm_eval/gsm8k_${metric}`,
    scorer_version: 1,
    value: right ? 1 : 0,
    class: right ? ('correct' as const) : ('wrong' as const),
    code: null,
    answer: found ? given : null,
    answer_span: found ? span : null,
    explanation: found ? `Extracted “${given}”, target “${answer}”.` : 'No “####” line in the output.',
  })
  return {
    ...emptySample(position),
    status: 'scored',
    passed: strict,
    output,
    targets: [answer],
    finish_reason: 'stop',
    latency_ms: 420 + ((position * 7919) % 2600) + (position % 97 === 0 ? 24_000 : 0),
    input_tokens: 612 + (position % 80),
    output_tokens: 40 + (noise % 12) * 14,
    attempts: position % 53 === 0 ? 2 : 1,
    score_details: [score('strict', 'Strict match', strict, strict || !flexible), score('flexible', 'Flexible extract', flexible, true)],
  }
}

export function emptySample(position: number): FacetedSample {
  return {
    id: sampleId(position),
    position,
    profile_id: profileId,
    task_id: `gsm8k-test-${position}`,
    epoch: 1,
    status: 'missing',
    passed: null,
    messages: [
      { role: 'system', content: 'Solve the problem and end with a line “#### <number>”.' },
      {
        role: 'user',
        content: `Q: A shop has ${position % 7} boxes with ${10 + (position % 490)} marbles each. How many marbles are in one box?\nA:`,
      },
    ],
    notices: [],
    output: null,
    reasoning: null,
    episode: null,
    finish_reason: null,
    targets: [],
    choices: null,
    score_details: [],
    error: null,
    attempts: 0,
    latency_ms: null,
    input_tokens: null,
    output_tokens: null,
    cached: false,
    finished_at: '2026-11-20T09:31:00.000Z',
    facets: { boxes: boxes[partOf(position)] ?? '' },
  }
}

const boxes = ['0 to 2', '3 to 4', '5 to 6'] as const
const partOf = (position: number): number => Math.min(2, Math.floor((position % 7) / 2.4))

function failedSample(position: number): FacetedSample {
  return { ...emptySample(position), status: 'failed', attempts: 5, error: { code: 'timeout', message: 'No complete answer within 60 s.' } }
}

export function fixtureSamples(count: number): FacetedSample[] {
  return Array.from({ length: count }, (_, position) => fixtureSample(position))
}

export async function* stream<Sample>(samples: Iterable<Sample>): AsyncGenerator<Sample> {
  yield* samples
}

export function estimate(values: readonly number[]): Estimate {
  const n = values.length
  if (n === 0) return { n, mean: null, standard_error: null, interval: null, reason: 'no sample has a score', cautions: [] }
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const band = wilsonBand(mean, n)
  return {
    n,
    mean,
    standard_error: Math.sqrt((mean * (1 - mean)) / n),
    interval: band === null ? null : { ...band, level: 0.95, method: 'wilson' },
    reason: null,
    cautions: n < 30 ? ['Fewer than 30 tasks: the interval is wide.'] : [],
  }
}

function quantiles(values: readonly (number | null)[]): Results['latency_ms'] {
  const sorted = values.filter(value => value !== null).toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null
  const mean = sorted.length === 0 ? null : sorted.reduce((sum, value) => sum + value, 0) / sorted.length
  return { n: sorted.length, mean, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) ?? null }
}

const digest = (letter: string) => letter.repeat(64)

export const metrics: Results['reproducibility']['profiles'][number]['metrics'] = [
  {
    id: 'strict',
    title: 'Strict match',
    scorer: 'lm_eval/gsm8k_strict',
    scorer_version: 1,
    options: { pattern: '#### (-?[0-9.,]+)' },
    binary: true,
    primary: true,
  },
  {
    id: 'flexible',
    title: 'Flexible extract',
    scorer: 'lm_eval/gsm8k_flexible',
    scorer_version: 1,
    options: {},
    binary: true,
    primary: false,
  },
]

/** Results whose counts and estimates follow from the samples. */
export function fixtureResults(samples: readonly FacetedSample[]): Results {
  const count = (status: FacetedSample['status']) => samples.filter(sample => sample.status === status).length
  const valuesOf = (metric: string, from = samples) =>
    from.flatMap(sample => sample.score_details.filter(score => score.metric === metric).flatMap(score => score.value ?? []))
  const scored = count('scored')
  const metricResult = (metric: (typeof metrics)[number]): MetricResult => ({
    profile_id: profileId,
    metric: metric.id,
    title: metric.title,
    scorer: metric.scorer,
    scorer_version: metric.scorer_version,
    primary: metric.primary,
    estimate: estimate(valuesOf(metric.id)),
    unscored: samples.length - scored,
    chance_level: null,
    worst_case: samples.length === 0 ? null : valuesOf(metric.id).reduce((sum, value) => sum + value, 0) / samples.length,
    best_case:
      samples.length === 0 ? null : (valuesOf(metric.id).reduce((sum, value) => sum + value, 0) + samples.length - scored) / samples.length,
  })
  const failed = samples.filter(sample => sample.error !== null)
  return {
    run_id: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
    name: 'Nightly: small model on GSM8K',
    result_version: 1,
    created_at: '2026-11-20T09:40:00.000Z',
    status: failed.length === 0 ? 'complete' : 'partial',
    stop_reason: null,
    coverage: {
      mode: 'full',
      sample_count: null,
      seed: null,
      epochs: 1,
      task_digest: digest('a'),
      full_benchmark: true,
      parts: [],
      frozen: samples.length,
      scored,
      failed: count('failed'),
      excluded: count('excluded'),
      missing: count('missing'),
      cancelled: count('cancelled'),
    },
    metrics: metrics.map(metricResult),
    breakdowns: boxes.map((value, part) => ({
      profile_id: profileId,
      metric: 'strict',
      dimension: 'boxes',
      value,
      estimate: estimate(
        valuesOf(
          'strict',
          samples.filter(sample => partOf(sample.position) === part),
        ),
      ),
    })),
    errors: failed
      .slice(0, 1)
      .map(sample => ({ code: 'timeout', message: 'No complete answer within 60 s.', count: failed.length, sample_id: sample.id })),
    usage: {
      model_calls: samples.length + 31,
      retries: 31,
      input_tokens: samples.length * 650,
      output_tokens: samples.length * 110,
      tokens_counted_by: 'provider',
    },
    latency_ms: quantiles(samples.map(sample => sample.latency_ms)),
    output_tokens: quantiles(samples.map(sample => sample.output_tokens)),
    billing: {
      state: 'settled',
      held_microusd: '0',
      charged_microusd: '184321',
      max_charge_microusd: '2000000',
      provider_billed_estimate_microusd: null,
      provider_billed_microusd: '0',
      max_provider_billed_microusd: null,
      possibly_billed_twice: 0,
    },
    reproducibility: {
      model: {
        kind: 'managed',
        route_id: 'local/small-7b',
        connection_id: null,
        title: 'Small 7B',
        provider: 'local',
        model: 'small-7b-instruct-q4',
        is_model: true,
        origin: null,
        streaming: true,
        rates: { input_microusd_per_million: '100000', output_microusd_per_million: '400000' },
      },
      profiles: [
        {
          profile_id: profileId,
          title: 'GSM8K, 5-shot',
          slug: 'gsm8k',
          source_ref: 'eval://openai/gsm8k/1',
          version_digest: digest('b'),
          prompt_digest: digest('c'),
          split: 'test',
          shots: 5,
          generation: { temperature: 0, max_output_tokens: 512, stop: ['\n\nQ:'] },
          metrics,
          chance_level: null,
          tasks_available: 1319,
          tasks_selected: samples.length,
        },
      ],
      execution: {
        epochs: 1,
        evaluators: [],
        temperature: null,
        max_output_tokens: null,
        effort: null,
        concurrency: 8,
        max_attempts: 5,
        throttle_patience_ms: 900_000,
        attempt_timeout_ms: null,
        sample_timeout_ms: null,
        run_timeout_ms: null,
        cache: false,
        max_provider_billed_microusd: null,
      },
      quote_id: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c',
      service_version: '1.0',
      app_version: '0.1.0',
      samples_digest: digest('d'),
      started_at: '2026-11-20T09:30:00.000Z',
      finished_at: '2026-11-20T09:39:58.000Z',
    },
    notices: [{ code: 'partial_scores', message: 'Some samples have no score; the score is over those that have one.' }],
  }
}
