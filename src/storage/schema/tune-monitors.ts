import type { Generated } from 'kysely'
import type { TuneMonitorStatus, TuneOccurrenceStatus } from '../../contract/tuning/monitor.machine.ts'
import type { TuneMonitor, TuneOccurrence } from '../../contract/tuning/monitors.schemas.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface TuneMonitorsTable {
  no: Generated<number>
  id: string
  workspace_id: string
  name: string
  status: StatusColumn<TuneMonitorStatus>
  /** The contract's NewTuneMonitor, every default written out. */
  request: JsonText
  session_id: string | null
  profile_id: string
  /** The contract's TuneMonitorTarget. */
  target: JsonText
  /** The contract's baseline of TuneMonitor. */
  baseline: JsonText
  schedule: 'hour' | 'day' | 'week' | null
  /** Null while the monitor is not active. */
  next_run_at: string | null
  evaluator_version_id: string | null
  /** Who created it, and so whose wallet and key pay. */
  owner_kind: 'person' | 'api_key'
  owner_id: string
  /** The engine's DriftState. */
  detector: JsonText
  /** Scores that the detector has seen. */
  outputs_seen: Generated<number>
  last_verdict: TuneMonitor['last_verdict']
  created_at: string
}

export interface TuneOccurrencesTable {
  no: Generated<number>
  id: string
  monitor_no: number
  kind: TuneOccurrence['kind']
  trigger: JsonText
  event_key: string | null
  /** Where a workload's outputs are read from; null when they were sent. */
  source: JsonText | null
  status: StatusColumn<TuneOccurrenceStatus>
  skip_reason: TuneOccurrence['skip_reason']
  failure_code: string | null
  failure_message: string | null
  verdict: TuneOccurrence['verdict']
  reason: string | null
  quote_id: string | null
  run_id: string | null
  job_id: string
  n: number | null
  unscored: number | null
  duplicates: number | null
  difference: JsonText | null
  detector: JsonText | null
  /** Calendar month, UTC, whose limit it counts toward: that of its start. */
  month: string | null
  held_microusd: Generated<number>
  /** Charged to the wallet. */
  spent_microusd: Generated<number>
  /** Billed by providers of connections. */
  billed_microusd: Generated<number>
  /** Session or key that sent it; null: a schedule, or an earlier version. */
  sender_id: string | null
  /** Ids of outputs that are known with other content. */
  conflicts: JsonText | null
  created_at: string
  finished_at: string | null
}

export interface TuneOutputsTable {
  no: Generated<number>
  monitor_no: number
  occurrence_no: number
  /** Key that identifies it: `id …`, `trace …` or `digest …`. */
  key: string
  at: string
  input: string
  output: string
  /** Outputs with the same one depend on one another. */
  cluster: string | null
  /** JSON array of texts. */
  expected: JsonText | null
  graded: Generated<0 | 1>
  /** Null: unscored. */
  value: number | null
  explanation: string | null
  /** Position of its score among those of the monitor, from 1, once the detector has seen it. */
  place: number | null
}
