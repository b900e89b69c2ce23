import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { Results } from '../../contract/runs/results.schemas.ts'
import type { Accounting } from '../../contract/runs/accounting.schemas.ts'
import { currentVersion } from '../../contract/version.ts'
import { lastFinished } from '../../lib/last-finished.ts'
import type { ResultsTask } from '../../workers/results.worker.ts'
import type { Kernel } from '../kernel.ts'
import { appVersion } from '../version.ts'
import { partsOf } from './parts.store.ts'
import { resultNotices } from './result-notices.ts'
import { sandboxesOf } from './run-sandboxes.store.ts'
import { coverageOf, profilesOf, quoteOf, stopReasonOf, toAccounting } from './run-record.ts'
import { countsOf, failuresOf, findRunByNo, oldestCached, type RunRow } from './runs.store.ts'

/** One version of a run's result, as it is about to be made. */
export interface VersionPlan {
  readonly version: number
  /** What the run is once the version is there. */
  readonly status: RunRow['status']
  readonly createdAt: string
  /** With the metrics that it is graded by. */
  readonly profiles?: readonly FrozenProfile[]
}

/** All of a result but what is computed from the samples. */
export function resultFrame(
  { db }: Pick<Kernel, 'db'>,
  row: RunRow,
  { version, status, createdAt, profiles = profilesOf(row) }: VersionPlan,
): ResultsTask['frame'] {
  const quote = quoteOf(row)
  const counts = countsOf(db, row.no)
  const sandboxes = sandboxesOf(row)
  const parts = partsOf(db, row.no)
  const n = (outcome: string) => counts.get(outcome) ?? 0
  return {
    run_id: row.id,
    name: row.name,
    result_version: version,
    created_at: createdAt,
    status,
    stop_reason: stopReasonOf(row, status, failuresOf(db, row.no), counts),
    coverage: {
      ...coverageOf(quote, counts),
      frozen: row.frozen,
      scored: n('scored'),
      failed: n('failed'),
      excluded: n('excluded'),
      missing: n('missing'),
      cancelled: n('cancelled'),
    },
    billing: row.accounting_state === 'none' ? toAccounting(row, quote, []) : settled(toAccounting(row, quote, parts)),
    reproducibility: {
      model: quote.model,
      profiles: [...profiles],
      execution: quote.execution,
      quote_id: row.answers === 'model' ? row.quote_id : null,
      ...(row.answers_digest !== null && { answers: { kind: 'imported' as const, digest: row.answers_digest } }),
      service_version: currentVersion,
      app_version: appVersion,
      ...(sandboxes.length > 0 && { sandboxes }),
      samples_digest: '0'.repeat(64),
      started_at: row.started_at,
      finished_at: lastFinished({ finished_at: row.finished_at ?? createdAt, parts }),
    },
    notices: resultNotices(row, quote, counts, status, version, profiles, row.cached > 0 ? oldestCached(db, row.no) : null),
  }
}

/** A result is made when all is over but the last settlement. */
function settled(accounting: Accounting): Results['billing'] {
  return { ...accounting, state: 'settled', held_microusd: '0' }
}

/** @throws Error when the run is gone, which nothing may do while it is executed. */
export function presentRun({ db }: Pick<Kernel, 'db'>, runNo: number): RunRow {
  const row = findRunByNo(db, runNo)
  if (!row) throw new Error(`Run ${runNo} is gone.`)
  return row
}
