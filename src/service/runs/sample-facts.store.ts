import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import { sampleId } from '../../storage/sample-id.ts'
import type { SampleFacts } from '../evaluators/index.ts'
import { quoteOf } from './run-record.ts'
import type { RunRow } from './runs.store.ts'

const Row = z.object({
  run_id: z.string(),
  position: z.int(),
  epoch: z.int(),
  attempts: z.int(),
  served_model: z.string().nullable(),
  finish_reason: z.string().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
})

export type ReadSampleFacts = (run: RunRow, positions: readonly number[]) => Map<number, SampleFacts>

/** What evaluators are told about stored samples, by position. Those of a part are known under the run that it retries. */
export function createSampleFacts(db: Database): ReadSampleFacts {
  const select = db.prepare(
    `select coalesce(p.id, r.id) as run_id, s.position, s.epoch, s.attempts, a.served_model, a.finish_reason, a.input_tokens, a.output_tokens
     from samples s join runs r on r.no = s.run_no left join runs p on p.no = r.part_of
     left join attempts a on a.run_no = coalesce(s.source_no, s.run_no) and a.position = s.position and a.number = s.attempts
     where s.run_no = ? and s.position in (select value from json_each(?))`,
  )
  return (run, positions) => {
    const requested = quoteOf(run).model.model
    return new Map(
      select.all(run.no, JSON.stringify(positions)).map(value => {
        const row = Row.parse(value)
        const { input_tokens: inputTokens, output_tokens: outputTokens } = row
        return [
          row.position,
          {
            sampleId: sampleId(row.run_id, row.position),
            run: { id: row.run_id, attempt: Math.max(1, row.attempts) },
            epoch: row.epoch,
            model: row.served_model ?? requested,
            usage: inputTokens === null || outputTokens === null ? null : { inputTokens, outputTokens },
            stopReason: row.finish_reason,
          },
        ]
      }),
    )
  }
}
