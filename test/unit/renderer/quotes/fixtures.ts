import { ExecutionSettings, Quote } from '../../../../src/contract/quotes/quotes.schemas.ts'

const digest = 'a'.repeat(64)

/** A quote that keeps the contract, with what a test wants to be otherwise. */
export function quoteFixture(changes: Partial<Quote> = {}): Quote {
  return Quote.parse({
    id: '01900000-0000-7000-8000-000000000001',
    status: 'open',
    created_at: '2026-11-20T09:00:00.000Z',
    expires_at: '2026-11-20T09:30:00.000Z',
    model: {
      kind: 'managed',
      route_id: 'assay/oracle-75',
      connection_id: null,
      title: 'Simulated model (75 %)',
      provider: 'assay',
      model: 'oracle-75',
      is_model: false,
      origin: null,
      streaming: false,
      rates: null,
    },
    profiles: [
      {
        profile_id: 'words@1:zero-shot',
        title: 'Zero-shot',
        slug: 'words',
        source_ref: 'eval://assay/words/1',
        version_digest: digest,
        prompt_digest: digest,
        split: 'test',
        shots: 0,
        generation: { temperature: 0, max_output_tokens: 512, stop: [] },
        metrics: [
          { id: 'strict', title: 'Strict', scorer: 'native/exact', scorer_version: 1, options: {}, binary: true, primary: true },
          { id: 'flexible', title: 'Flexible', scorer: 'native/exact', scorer_version: 1, options: {}, binary: true, primary: false },
        ],
        chance_level: null,
        tasks_available: 270,
        tasks_selected: 200,
      },
    ],
    coverage: { mode: 'sample', sample_count: 200, seed: 7, epochs: 2, task_digest: digest, full_benchmark: false },
    execution: ExecutionSettings.parse({
      epochs: 2,
      temperature: 0.5,
      concurrency: 4,
      max_attempts: 3,
      run_timeout_ms: 90_000,
      cache: true,
    }),
    compatibility: { status: 'compatible', checks: [] },
    counts: {
      tasks: 200,
      samples: 400,
      model_calls: 400,
      judge_calls: 0,
      sandbox_executions: 0,
      input_tokens: 15_000,
      output_tokens_upper_bound: 102_400,
    },
    cost: {
      components: [],
      estimated_charge_microusd: '0',
      upper_bound_microusd: '0',
      max_charge_microusd: '1500000',
      provider_billed_estimate_microusd: null,
    },
    statistics: [{ profile_id: 'words@1:zero-shot', n: 200, minimum_detectable_difference: 0.1 }],
    warnings: [],
    ...changes,
  })
}
