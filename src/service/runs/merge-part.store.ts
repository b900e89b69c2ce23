import { z } from 'zod'
import { sampleStates } from '../../contract/runs/run.machine.ts'
import { sampleMachine } from '../../contract/runs/sample.machine.ts'
import type { Database } from '../../storage/database.ts'
import { stateSql } from '../../storage/transition.ts'
import { prepareStatements } from '../../storage/runs/execution-statements.store.ts'
import { move, noSums, writeSums } from '../../storage/runs/run-sums.store.ts'

/** A part whose scores go into the run that it is a part of. */
export interface Merge {
  readonly partNo: number
  readonly runNo: number
  /** Result version that they make. */
  readonly version: number
}

const { from, to } = stateSql(sampleMachine, 'status')

const Place = z.object({ position: z.int(), before: z.enum(sampleStates) })

/**
 * Takes the scores of up to `limit` samples after a place over, in one transaction; what these samples were is kept for the earlier
 * versions. Doing it again changes nothing, so an interrupted merge is restarted.
 * @returns the last place looked at; null when there was none
 */
export function mergeSome(db: Database, { partNo, runNo, version }: Merge, after: number, limit: number): number | null {
  const scored = db.prepare(
    `select p.position, s.status as before from samples p join samples s on s.run_no = ? and s.position = p.position
     where p.run_no = ? and p.status = 'scored' and p.position > ? order by p.position limit ?`,
  )
  const keep = db.prepare(
    `insert or ignore into superseded_samples (run_no, position, last_version, status, attempts, error_code, error_message, latency_ms, input_tokens,
     output_tokens, finished_at, cached, source_no)
     select run_no, position, ?, status, attempts, error_code, error_message, latency_ms, input_tokens, output_tokens, finished_at, cached, source_no
     from samples where run_no = ? and position = ? and source_no is not ?`,
  )
  const replace = db.prepare(
    `update samples set ${to('merge')}, (attempts, passed, value, error_code, error_message, latency_ms, input_tokens, output_tokens, finished_at, cached) =
     (select attempts, passed, value, null, null, latency_ms, input_tokens, output_tokens, finished_at, cached from samples p
      where p.run_no = ? and p.position = samples.position), source_no = ? where run_no = ? and position = ? and source_no is not ? and ${from('merge')}`,
  )
  const copyScores = db.prepare(
    `insert or ignore into scores (run_no, position, metric_no, version, value, class, answer, answer_start, answer_end, explanation, counts, code, label)
     select ?, position, metric_no, ?, value, class, answer, answer_start, answer_end, explanation, counts, code, label from scores where run_no = ? and position = ?`,
  )
  return db.transaction(() => {
    const rows = scored.all(runNo, partNo, after, limit).map(row => Place.parse(row))
    const sums = noSums()
    for (const { position, before } of rows) {
      keep.run(version - 1, runNo, position, partNo)
      copyScores.run(runNo, version, partNo, position)
      if (replace.run(partNo, partNo, runNo, position, partNo).changes > 0) move(sums, before, sampleMachine.events.merge.to)
    }
    writeSums(prepareStatements(db), runNo, sums)
    return rows.at(-1)?.position ?? null
  })
}

/** Whether a part has any score to give. */
export function hasScores(db: Database, partNo: number): boolean {
  return (
    db.first(db.sql.selectFrom('run_counts').select('n').where('run_no', '=', partNo).where('status', '=', 'scored').where('n', '>', 0)) !==
    undefined
  )
}
