import { accountingMachine, currentVersion, type Results, runMachine } from '../../contract/index.ts'
import type { RunEnd } from '../../engine/scheduler/ports.ts'
import { transition } from '../../storage/transition.ts'
import type { Workers } from '../../workers/pool.ts'
import { releaseRest } from '../billing/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { appVersion } from '../version.ts'
import { resultNotices } from './result-notices.ts'
import { quoteOf, toAccounting } from './run-record.ts'
import { countsOf, findRunByNo, insertResult, markFinished, markStopped, type RunRow } from './runs.store.ts'

const firstVersion = 1
const status = { table: 'runs', column: 'status' } as const
const accounting = { table: 'runs', column: 'accounting_state' } as const

type FinalEvent = 'complete' | 'finish_partial' | 'fail' | 'finish_cancel'

/** Settles a run whose samples have all ended: statistics in a worker, then result, status and money in one transaction. */
export async function finishRun(
  kernel: Kernel,
  workers: Workers,
  runNo: number,
  end: Exclude<RunEnd, { kind: 'suspended' }>,
): Promise<void> {
  const { db, clock } = kernel
  if (end.kind === 'stopped') db.transaction(() => markStopped(db, runNo, end.reason))
  const row = read(kernel, runNo)
  const counts = countsOf(db, runNo)
  const event = finalEvent(row, counts)
  const finishedAt = timestamp(clock)
  const results = await workers.results({ runNo, frame: frameOf(row, counts, runMachine.events[event].to, finishedAt) })
  db.transaction(() => {
    insertResult(db, runNo, firstVersion, results, finishedAt)
    markFinished(db, runNo, finishedAt, firstVersion)
    transition(db, runMachine, status, row.id, event, finishedAt, row.stop_code)
    const rest = BigInt(row.held_microusd) - BigInt(row.charged_microusd)
    releaseRest(db, { workspaceId: row.workspace_id, runId: row.id, amount: rest, at: finishedAt })
    transition(db, accountingMachine, accounting, row.id, 'settle', finishedAt)
  })
}

/** `complete` when every frozen sample has a score, `failed` when none has, `partial` between. */
function finalEvent(row: RunRow, counts: ReadonlyMap<string, number>): FinalEvent {
  if (row.status === 'cancelling') return 'finish_cancel'
  const scored = counts.get('scored') ?? 0
  return scored === row.frozen ? 'complete' : scored === 0 ? 'fail' : 'finish_partial'
}

function frameOf(row: RunRow, counts: ReadonlyMap<string, number>, finalStatus: RunRow['status'], finishedAt: string) {
  const quote = quoteOf(row)
  const n = (outcome: string) => counts.get(outcome) ?? 0
  const frame: Omit<Results, 'metrics' | 'breakdowns' | 'errors' | 'usage' | 'latency_ms' | 'output_tokens'> = {
    run_id: row.id,
    name: row.name,
    result_version: firstVersion,
    created_at: finishedAt,
    status: finalStatus,
    stop_reason: row.stop_code === null ? null : { code: row.stop_code, message: row.stop_message ?? '' },
    coverage: {
      ...quote.coverage,
      frozen: row.frozen,
      scored: n('scored'),
      failed: n('failed'),
      excluded: n('excluded'),
      missing: n('missing'),
      cancelled: n('cancelled'),
    },
    billing: { ...toAccounting(row, quote), state: 'settled', held_microusd: '0' },
    reproducibility: {
      model: quote.model,
      profiles: quote.profiles,
      execution: quote.execution,
      quote_id: row.quote_id,
      service_version: currentVersion,
      app_version: appVersion,
      samples_digest: '0'.repeat(64),
      started_at: row.started_at,
      finished_at: finishedAt,
    },
    notices: resultNotices(row, quote, counts, finalStatus),
  }
  return frame
}

function read({ db }: Kernel, runNo: number): RunRow {
  const row = findRunByNo(db, runNo)
  if (!row) throw new Error(`Run ${runNo} is gone.`)
  return row
}
