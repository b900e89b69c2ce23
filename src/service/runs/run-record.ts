import { type Accounting, Quote, type Run, type RunProgress } from '../../contract/index.ts'
import type { StoredQuote } from '../quotes/quotes.store.ts'
import type { RunRow } from './runs.store.ts'

const Stored = Quote.omit({ status: true })

/** How fast a run goes at the moment. */
export interface Pace {
  readonly samplesPerSecond: number | null
}

/** Quotes never change and a run is read often while it goes on, so the last few are kept parsed. */
const parsed = new Map<string, StoredQuote>()
const keptQuotes = 200

/** The quote that a run was frozen from. */
export function quoteOf(row: Pick<RunRow, 'quote' | 'quote_id'>): StoredQuote {
  const known = parsed.get(row.quote_id)
  if (known) return known
  const quote = Stored.parse(JSON.parse(row.quote))
  if (parsed.size >= keptQuotes) parsed.delete(parsed.keys().next().value ?? '')
  parsed.set(row.quote_id, quote)
  return quote
}

export function toRun(row: RunRow, counts: ReadonlyMap<string, number>, pace: Pace): Run {
  const quote = quoteOf(row)
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    quote_id: row.quote_id,
    model: quote.model,
    profiles: quote.profiles,
    coverage: quote.coverage,
    execution: quote.execution,
    progress: toProgress(row, counts, pace),
    accounting: toAccounting(row, quote),
    result_version: row.result_version,
    stop_reason: row.stop_code === null ? null : { code: row.stop_code, message: row.stop_message ?? '' },
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
  }
}

export function toProgress(
  row: Pick<RunRow, 'frozen' | 'retries'>,
  counts: ReadonlyMap<string, number>,
  { samplesPerSecond }: Pace,
): RunProgress {
  const n = (status: string) => counts.get(status) ?? 0
  const errors = n('failed') + n('excluded') + n('missing') + n('cancelled')
  const completed = n('scored') + errors
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
    errors,
    retries: row.retries,
    samples_per_second: samplesPerSecond,
    seconds_left: samplesPerSecond ? (row.frozen - completed) / samplesPerSecond : null,
  }
}

export function toAccounting(row: RunRow, quote: Pick<StoredQuote, 'cost'>): Accounting {
  return {
    state: row.accounting_state,
    held_microusd: String(row.held_microusd),
    charged_microusd: String(row.charged_microusd),
    max_charge_microusd: String(row.max_charge_microusd),
    provider_billed_estimate_microusd: quote.cost.provider_billed_estimate_microusd,
    possibly_billed_twice: row.unknown_calls,
  }
}
