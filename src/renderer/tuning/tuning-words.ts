import type { TuneMonitor, TuneMonitorTarget, TuneOccurrence } from '../../contract/tuning/monitors.schemas.ts'
import type { ArmReason, TuneArm, TuneGroup } from '../../contract/tuning/race.schemas.ts'
import type { TuneSessionListItem } from '../../contract/tuning/sessions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatUsd, priceUnknown } from '../../lib/format/money.ts'
import { formatEstimate } from '../../lib/format/percent.ts'
import type { Status } from '../ui/values/statuses.ts'

export const sessionStatuses: Readonly<Record<TuneSessionListItem['status'], Status>> = {
  draft: { word: 'Draft', tone: 'neutral' },
  approved: { word: 'Approved', tone: 'neutral' },
  quoted: { word: 'Quoted', tone: 'neutral' },
  running: { word: 'Running', tone: 'running' },
  complete: { word: 'Complete', tone: 'pass' },
  partial: { word: 'Partial', tone: 'warn' },
  failed: { word: 'Failed', tone: 'fail' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
}

export const groupStatuses: Readonly<Record<TuneGroup['status'], Status>> = {
  running: sessionStatuses.running,
  complete: sessionStatuses.complete,
  partial: sessionStatuses.partial,
  failed: sessionStatuses.failed,
  cancelled: sessionStatuses.cancelled,
}

export const monitorStatuses: Readonly<Record<TuneMonitor['status'], Status>> = {
  active: { word: 'Active', tone: 'pass' },
  paused: { word: 'Paused', tone: 'neutral' },
  archived: { word: 'Archived', tone: 'neutral' },
}

export const verdictStatuses: Readonly<Record<NonNullable<TuneOccurrence['verdict']>, Status>> = {
  ok: { word: 'OK', tone: 'pass' },
  improvement: { word: 'Improvement', tone: 'pass' },
  regression: { word: 'Regression', tone: 'fail' },
  inconclusive: { word: 'Inconclusive', tone: 'warn' },
}

/** Of a monitor whose last check ended without a verdict. */
export const checkFailed: Status = { word: 'Check failed', tone: 'fail' }

const skipReasons: Readonly<Record<NonNullable<TuneOccurrence['skip_reason']>, string>> = {
  paused: 'Skipped: monitor not active',
  cap_reached: 'Skipped: spending limit',
  superseded: 'Skipped: newer event',
  unauthorized: 'Skipped: key no longer valid',
}

const occurrenceStatuses: Readonly<Record<TuneOccurrence['status'], Status>> = {
  accepted: { word: 'Waiting', tone: 'neutral' },
  running: { word: 'Running', tone: 'running' },
  complete: { word: 'Nothing new', tone: 'neutral' },
  failed: { word: 'Failed', tone: 'fail' },
  skipped: { word: 'Skipped', tone: 'neutral' },
}

export function occurrenceStatus({ verdict, skip_reason, status }: TuneOccurrence): Status {
  if (verdict !== null) return verdictStatuses[verdict]
  return skip_reason === null ? occurrenceStatuses[status] : { word: skipReasons[skip_reason], tone: 'neutral' }
}

export const triggerWords: Readonly<Record<TuneOccurrence['trigger']['type'], string>> = {
  release: 'Release',
  model_change: 'Model change',
  schedule: 'Schedule',
  manual: 'Manual',
  outputs: 'Outputs',
  traces: 'Traces',
  integration: 'Integration',
}

export const originWords = {
  trace: 'Trace',
  example: 'Dataset example',
  sample: 'Run sample',
  import: 'Import',
  generated: 'Generated',
} as const

/** @param names of connections and routes, by id */
export function describeModel({ model, effort }: Pick<TuneMonitorTarget, 'model' | 'effort'>, names: ReadonlyMap<string, string>): string {
  const name =
    model.kind === 'managed'
      ? (names.get(model.route_id) ?? model.route_id)
      : (names.get(model.connection_id) ?? `connection ${model.connection_id.slice(0, 8)}`)
  return effort === null ? name : `${name}, ${effort} effort`
}

/** A difference of shares as points of a percent: `+3.1`. */
export function formatPoints(difference: number): string {
  const points = (100 * difference).toFixed(1)
  return difference > 0 ? `+${points}` : points.replace('-', '−')
}

/** `3.1 points`; a share without a sign. */
export function marginText(share: number): string {
  const points = (100 * share).toFixed(1).replace(/\.0$/, '')
  return `${points} ${points === '1' ? 'point' : 'points'}`
}

/** What these cases can show, before they are paid for. */
export function describePower(detectable: number, margin: number, cases: number): string {
  const shows = `${formatCount(cases)} cases show a candidate to be at most ${marginText(detectable)} worse four times in five if it is as good as today’s call`
  if (detectable <= margin) return `${shows}; ${marginText(margin)} are acceptable.`
  const needed = Math.ceil(cases * (detectable / margin) ** 2)
  return `${shows}. ${marginText(margin)} are acceptable, for which about ${formatCount(needed)} cases are needed.`
}

/** A share that somebody chose: `95 %`, `99.5 %`. */
export function confidenceText(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`
}

/** A computed level: with as many decimals as keep it below 100 %, such as `99.26 %` or `99.9999 %`. */
export function levelText(level: number): string {
  for (let decimals = 2; decimals < 8; decimals++) {
    const text = (100 * level).toFixed(decimals)
    if (Number(text) < 100) return `${Number(text)} %`
  }
  return 'above 99.99999 %'
}

/** A candidate's verdict in two or three words; the service says the reason in a sentence. */
const reasonStatuses: Readonly<Record<ArmReason, Status>> = {
  pending: { word: 'Racing', tone: 'running' },
  noninferior: { word: 'Accepted', tone: 'pass' },
  superior: { word: 'Accepted: better', tone: 'pass' },
  not_better: { word: 'Dropped: not better', tone: 'fail' },
  futile: { word: 'Dropped: little chance', tone: 'fail' },
  worse: { word: 'Dropped: worse', tone: 'fail' },
  not_cheaper: { word: 'Dropped: not cheaper', tone: 'neutral' },
  not_needed: { word: 'Dropped: not needed', tone: 'neutral' },
  missing: { word: 'Undecided: scores missing', tone: 'warn' },
  inconclusive: { word: 'Undecided', tone: 'warn' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
}

export function armStatus({ reason }: Pick<TuneArm, 'reason'>): Status {
  return reason === null ? { word: 'Current call', tone: 'neutral' } : reasonStatuses[reason]
}

/** Micro-USD with a sign. */
export function signedCost(microUsd: number): string {
  if (microUsd === 0) return '$0.00'
  return `${microUsd < 0 ? '−' : '+'}${costPerCase(String(Math.abs(microUsd)))}`
}

/** `94.0 % [90.1, 96.8] (n = 60)` */
export function meanText({ mean, low, high, n }: Pick<TuneMonitor['baseline'], 'mean' | 'low' | 'high' | 'n'>): string {
  return formatEstimate({ mean, n, interval: low === null || high === null ? null : { low, high } }, true)
}

/** Micro-USD with decimals, which a mean has, as dollars. */
export function costPerCase(microUsd: string | null): string {
  if (microUsd === null) return priceUnknown
  const amount = Number(microUsd)
  return amount > 0 && amount < 1 ? 'below $0.000001' : formatUsd(String(Math.round(amount)))
}
