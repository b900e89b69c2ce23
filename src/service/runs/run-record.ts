import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { type FrozenCoverage, FrozenProfile, Quote } from '../../contract/quotes/quotes.schemas.ts'
import { failureLabel } from '../../contract/runs/failure-labels.ts'
import type { Accounting } from '../../contract/runs/accounting.schemas.ts'
import type { Run, RunActivity, RunPart, RunPause, RunProgress } from '../../contract/runs/runs.schemas.ts'
import type { StoredQuote } from '../quotes/quotes.store.ts'
import type { PartRow } from './parts.store.ts'
import type { RunRow } from './runs.store.ts'
import type { ProviderBilling } from './sample-detail.ts'

const Stored = Quote.omit({ status: true })

/** Quotes never change and a run is read often while running, so the last few are kept parsed. */
const parsed = new LRUCache<string, StoredQuote>({ max: 200 })

/** The quote that a run was frozen from. */
export function quoteOf(row: Pick<RunRow, 'quote' | 'quote_id'>): StoredQuote {
  const known = parsed.get(row.quote_id)
  if (known) return known
  const quote = Stored.parse(JSON.parse(row.quote))
  parsed.set(row.quote_id, quote)
  return quote
}

const Profiles = z.array(FrozenProfile)

/** The run's profiles with the metrics that it is graded by now. */
export function profilesOf(row: Pick<RunRow, 'quote' | 'quote_id' | 'regraded_profiles'>): readonly FrozenProfile[] {
  return row.regraded_profiles === null ? quoteOf(row).profiles : Profiles.parse(JSON.parse(row.regraded_profiles))
}

/** What a run's description takes beside its own row. */
export interface RunFacts {
  readonly counts: ReadonlyMap<string, number>
  readonly failures: RunProgress['failures']
  readonly parts: readonly PartRow[]
  /** Id of the run that it is a part of. */
  readonly partOf: string | null
  readonly regrade: Run['regrade']
  readonly activity: RunActivity | null
  readonly pause: RunPause | null
  readonly annotations: Run['annotations']
  readonly scores: Run['scores']
  readonly samplesPerSecond: number | null
}

export function toRun(row: RunRow, facts: RunFacts): Run {
  const quote = quoteOf(row)
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    quote_id: row.answers === 'model' ? row.quote_id : null,
    answers: row.answers === 'model' ? 'model' : 'imported',
    answers_digest: row.answers_digest,
    model: quote.model,
    profiles: [...profilesOf(row)],
    coverage: coverageOf(quote, facts.counts),
    execution: quote.execution,
    progress: toProgress(row, facts),
    accounting: toAccounting(row, quote, facts.parts),
    result_version: row.result_version,
    scores: facts.scores,
    part_of: facts.partOf,
    parts: facts.parts.map(toPart),
    regrade: facts.regrade,
    activity: facts.activity,
    pause: facts.pause,
    annotations: facts.annotations,
    archived_at: row.archived_at,
    pinned_at: row.pinned_at,
    stop_reason: stopReasonOf(row, row.status, facts.failures, facts.counts),
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
  }
}

/** A benchmark score is of every task: samples that were never asked make it none. @param counts samples by outcome */
export function coverageOf({ coverage }: Pick<Quote, 'coverage'>, counts: ReadonlyMap<string, number>): FrozenCoverage {
  const unasked = (counts.get('missing') ?? 0) + (counts.get('cancelled') ?? 0)
  return { ...coverage, full_benchmark: coverage.full_benchmark && unasked === 0 }
}

function toPart(part: PartRow): RunPart {
  return {
    run_id: part.id,
    selection: part.part_asks ?? 'failed',
    status: part.status,
    samples: part.frozen,
    result_version: part.merged_version,
    created_at: part.created_at,
    started_at: part.started_at,
    finished_at: part.finished_at,
  }
}

function toProgress(row: RunRow, { counts, failures, parts, samplesPerSecond }: RunFacts): RunProgress {
  const n = (status: string) => counts.get(status) ?? 0
  const completed = n('scored') + n('failed') + n('excluded')
  const open = row.frozen - completed - n('missing') - n('cancelled')
  return {
    frozen: row.frozen,
    scored: n('scored'),
    failed: n('failed'),
    excluded: n('excluded'),
    missing: n('missing'),
    cancelled: n('cancelled'),
    pending: n('pending'),
    active: n('calling') + n('answered'),
    completed,
    errors: n('failed'),
    retries: parts.reduce((sum, part) => sum + part.retries, row.retries),
    cached: row.cached,
    failures: [...failures],
    samples_per_second: samplesPerSecond,
    seconds_left: samplesPerSecond ? open / samplesPerSecond : null,
  }
}

/**
 * Why a run has not scored all its samples: what stopped it, or, where it went to its end, what its samples failed with. Null for a run
 * that is complete, was cancelled, or has not ended.
 */
export function stopReasonOf(
  { stop_code: code, stop_message: message, frozen }: Pick<RunRow, 'stop_code' | 'stop_message' | 'frozen'>,
  status: Run['status'],
  failures: RunProgress['failures'],
  counts: ReadonlyMap<string, number>,
): Run['stop_reason'] {
  if (status === 'complete') return null
  if (code !== null) return { code, message: message ?? '' }
  if (status !== 'partial' && status !== 'failed') return null
  const causes = failures.map(failure => `${failure.count} × ${failureLabel(failure.code)}`)
  const others = (['missing', 'cancelled', 'excluded'] as const).flatMap(outcome => {
    const n = counts.get(outcome) ?? 0
    return n === 0 ? [] : [`${n} ${outcome}`]
  })
  const without = frozen - (counts.get('scored') ?? 0)
  return {
    code: 'samples_failed',
    message: `${without} of ${frozen} samples have no score: ${[...causes, ...others].join(', ')}.`,
  }
}

/** Whether a provider bills the model's calls, and at known rates: a connection without rates does not say. */
export function providerBilling({ model }: Pick<StoredQuote, 'model'>): ProviderBilling {
  if (model.kind === 'managed') return 'none'
  return model.rates === null ? 'unknown' : 'metered'
}

/** What the run cost, its parts included. */
export function toAccounting(row: RunRow, quote: Pick<StoredQuote, 'cost' | 'model'>, parts: readonly PartRow[]): Accounting {
  const withParts = (own: number, of: (part: PartRow) => number) => parts.reduce((sum, part) => sum + of(part), own)
  const billed = withParts(row.billed_microusd, part => part.billed_microusd)
  return {
    state: row.accounting_state,
    held_microusd: String(withParts(row.held_microusd, part => part.held_microusd)),
    charged_microusd: String(withParts(row.charged_microusd, part => part.charged_microusd)),
    max_charge_microusd: String(row.max_charge_microusd),
    provider_billed_estimate_microusd: quote.cost.provider_billed_estimate_microusd,
    provider_billed_microusd: providerBilling(quote) === 'unknown' && billed === 0 ? null : String(billed),
    max_provider_billed_microusd: row.max_billed_microusd === null ? null : String(row.max_billed_microusd),
    possibly_billed_twice: withParts(row.unknown_calls, part => part.unknown_calls),
  }
}
