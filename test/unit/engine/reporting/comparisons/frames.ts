import type { Metric } from '../../../../../src/contract/catalog/benchmarks.schemas.ts'
import { ComparisonOptions } from '../../../../../src/contract/comparisons/comparisons.schemas.ts'
import { ExecutionSettings, type FrozenProfile, type ModelSnapshot } from '../../../../../src/contract/quotes/quotes.schemas.ts'
import type { SampleFacts } from '../../../../../src/engine/reporting/comparisons/align-samples.ts'
import type { RunFrame } from '../../../../../src/engine/reporting/comparisons/run-frame.ts'

/** Runs made by hand, for tests of what compares them. */

export const options = ComparisonOptions.parse({})

export function metric(more: Partial<Metric> = {}): Metric {
  return { id: 'exact', title: 'Exact', scorer: 'native/exact', scorer_version: 1, options: {}, binary: true, primary: true, ...more }
}

export function profile(more: Partial<FrozenProfile> = {}): FrozenProfile {
  return {
    profile_id: 'sums@1:plain',
    title: 'Sums',
    slug: 'sums',
    source_ref: 'eval://us/sums/1',
    version_digest: 'a'.repeat(64),
    prompt_digest: 'b'.repeat(64),
    split: 'test',
    shots: 0,
    generation: { temperature: 0, max_output_tokens: 100, stop: [] },
    metrics: [metric()],
    chance_level: null,
    tasks_available: 100,
    tasks_selected: 100,
    ...more,
  }
}

export function model(name: string, more: Partial<ModelSnapshot> = {}): ModelSnapshot {
  return {
    kind: 'connection',
    route_id: null,
    connection_id: '0190aaaa-0000-7000-8000-000000000001',
    title: name,
    provider: 'host',
    model: name,
    is_model: true,
    origin: 'http://host',
    streaming: false,
    rates: null,
    ...more,
  }
}

let made = 0

export function frame(name: string, more: Partial<RunFrame> = {}): RunFrame {
  const id = `0190aaaa-0000-7000-8000-${String(++made).padStart(12, '0')}`
  return {
    asked: id,
    kind: 'run',
    runId: id,
    resultVersion: 1,
    samplesDigest: 'c'.repeat(64),
    name,
    status: 'complete',
    model: model(name),
    profiles: [profile()],
    execution: ExecutionSettings.parse({}),
    biases: [],
    ...more,
  }
}

export interface SampleOptions extends Partial<SampleFacts> {
  readonly task: number
  readonly value: number | null
}

/** Samples in their order; task numbers stand for ids and database numbers alike. */
export function samples(wishes: readonly SampleOptions[]): SampleFacts[] {
  return wishes.map(({ task, value, ...more }, position) => ({
    position,
    profileNo: 0,
    taskNo: 1000 + task,
    taskId: `t${task}`,
    epoch: 1,
    status: value === null ? 'failed' : 'scored',
    latencyMs: 100,
    inputTokens: 10,
    outputTokens: 20,
    tags: { facets: {}, capabilities: [] },
    values: value === null ? [] : [value],
    ...more,
  }))
}

/** One sample a task with the values given, from task 0. */
export function scored(values: readonly (number | null)[], more: Partial<SampleFacts> = {}): SampleFacts[] {
  return samples(values.map((value, task) => ({ task, value, ...more })))
}
