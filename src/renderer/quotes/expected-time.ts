import type { Connection } from '../../contract/connections/connections.schemas.ts'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'

export interface ExpectedTime {
  readonly milliseconds: number
  /** What it rests on, in words. */
  readonly basis: string
}

const LATEST = 5
const MINUTE_MS = 60_000
const BATCH_MS = 24 * 60 * MINUTE_MS

type PastRun = Pick<Run, 'model' | 'profiles' | 'answers' | 'execution' | 'progress' | 'started_at' | 'finished_at'>

/**
 * How long a quoted run would take: from the last runs of the same endpoint, those of the same profiles if there are any; else from
 * the latency of the connection's check. Null where neither is known.
 */
export function expectedTime(quote: Quote, runs: readonly PastRun[], connection: Connection | undefined): ExpectedTime | null {
  if (quote.execution.mode === 'batch') return { milliseconds: BATCH_MS, basis: 'At most, as providers promise for a batch' }
  const past = runs.filter(run => sameEndpoint(run, quote)).flatMap(run => paceOf(run))
  const asked = new Set(quote.profiles.map(profile => profile.profile_id))
  const alike = past.filter(({ run }) => run.profiles.every(profile => asked.has(profile.profile_id)))
  const paces = (alike.length > 0 ? alike : past).slice(0, LATEST).map(({ msPerSample }) => msPerSample)
  const usual = median(paces)
  if (usual === null && quote.time) return { milliseconds: quote.time.estimated_seconds * 1000, basis: quote.time.basis }
  if (usual === null) return connection ? fromCheck(quote, connection) : null
  const runsText = paces.length === 1 ? 'the last run' : `the last ${paces.length} runs`
  return {
    milliseconds: usual * quote.counts.samples,
    basis: `Time from ${runsText} of this model${alike.length > 0 ? ' on these benchmarks' : ' on other benchmarks'}`,
  }
}

function sameEndpoint({ model, answers, execution }: PastRun, quote: Quote): boolean {
  return (
    answers === 'model' &&
    execution.mode !== 'batch' &&
    model.kind === quote.model.kind &&
    model.route_id === quote.model.route_id &&
    model.connection_id === quote.model.connection_id &&
    execution.concurrency === quote.execution.concurrency
  )
}

function paceOf(run: PastRun): { run: PastRun; msPerSample: number }[] {
  const asked = run.progress.completed - run.progress.cached
  if (run.started_at === null || run.finished_at === null || asked <= 0) return []
  const elapsed = Date.parse(run.finished_at) - Date.parse(run.started_at)
  return elapsed > 0 ? [{ run, msPerSample: elapsed / asked }] : []
}

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}

function fromCheck({ counts, execution }: Quote, { last_check: check, limits }: Connection): ExpectedTime | null {
  if (!check?.ok || check.latency_ms === null) return null
  const atOnce = Math.min(limits.max_concurrency, execution.concurrency ?? limits.max_concurrency)
  const calls = counts.model_calls
  const byLatency = Math.ceil(calls / atOnce) * check.latency_ms
  const byRate = limits.requests_per_minute === null ? 0 : (calls / limits.requests_per_minute) * MINUTE_MS
  return {
    milliseconds: Math.max(byLatency, byRate),
    basis: `Time from the connection’s check: ${formatDuration(check.latency_ms)} for a short answer, ${formatCount(atOnce)} calls at a time. Long answers take longer`,
  }
}
