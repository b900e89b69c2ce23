import type { TuneMonitor, TuneMonitorTarget, TuneOccurrence, TuneSessionListItem } from '../../contract/index.ts'
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

export function describeModel({ model, effort }: Pick<TuneMonitorTarget, 'model' | 'effort'>): string {
  const name = model.kind === 'managed' ? model.route_id : `connection ${model.connection_id.slice(0, 8)}`
  return effort === null ? name : `${name}, ${effort} effort`
}

/** A difference of shares as points of a percent: `+3.1`. */
export function formatPoints(difference: number): string {
  const points = (100 * difference).toFixed(1)
  return difference > 0 ? `+${points}` : points.replace('-', '−')
}

export function inputText(input: string | Readonly<Record<string, unknown>>): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}
