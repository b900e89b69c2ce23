import { Run, type RunActivity } from '../../../../src/contract/runs/runs.schemas.ts'
import { quoteFixture } from '../quotes/fixtures.ts'

const { id: quote_id, model, profiles, coverage, execution } = quoteFixture()

/** A complete run that keeps the contract, with what a test wants to be otherwise. */
export function runFixture(changes: Partial<Run> = {}): Run {
  return Run.parse({
    id: '01900000-0000-7000-8000-0000000000a1',
    name: 'Words',
    status: 'complete',
    quote_id,
    answers: 'model',
    answers_digest: null,
    model,
    profiles,
    coverage,
    execution,
    progress: progressFixture(),
    accounting: accountingFixture(),
    result_version: 1,
    scores: [],
    part_of: null,
    parts: [],
    regrade: null,
    activity: null,
    pause: null,
    annotations: { bookmarked: false, tags: [], notes: 0 },
    archived_at: null,
    pinned_at: null,
    stop_reason: null,
    created_at: '2026-11-20T09:00:00.000Z',
    started_at: '2026-11-20T09:00:01.000Z',
    finished_at: '2026-11-20T09:05:00.000Z',
    ...changes,
  })
}

export function progressFixture(changes: Partial<Run['progress']> = {}): Run['progress'] {
  return {
    frozen: 400,
    scored: 400,
    failed: 0,
    excluded: 0,
    missing: 0,
    cancelled: 0,
    pending: 0,
    active: 0,
    completed: 400,
    errors: 0,
    retries: 0,
    cached: 0,
    failures: [],
    samples_per_second: null,
    seconds_left: null,
    ...changes,
  }
}

export function accountingFixture(changes: Partial<Run['accounting']> = {}): Run['accounting'] {
  return {
    state: 'settled',
    held_microusd: '0',
    charged_microusd: '0',
    max_charge_microusd: '1500000',
    provider_billed_estimate_microusd: null,
    provider_billed_microusd: '0',
    max_provider_billed_microusd: null,
    possibly_billed_twice: 0,
    ...changes,
  }
}

export function activityFixture(endpoint: Partial<RunActivity['endpoint']> = {}, changes: Partial<RunActivity> = {}): RunActivity {
  return {
    concurrency: null,
    requesting: 8,
    backing_off: 1,
    grading: 2,
    waited_ms: 4_200,
    blocked: null,
    endpoint: {
      limit: 16,
      most: 32,
      active: 7,
      waiting: 1,
      throttled: 3,
      slowed: 1,
      runs: 1,
      pause_ms: 0,
      outage: null,
      rate_wait_ms: 0,
      ...endpoint,
    },
    ...changes,
  }
}
