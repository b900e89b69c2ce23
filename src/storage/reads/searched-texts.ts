import { z } from 'zod'
import type { Database } from '../database.ts'

const chunk = 1000

const TextRow = z.object({ position: z.int(), task_id: z.string(), output_preview: z.string().nullable() })
const AnswerRow = z.object({ position: z.int(), answer: z.string() })

/** What of a sample is searched: its task's id, the beginning of its output, and the answers that scorers found in it. */
export interface SearchedTexts {
  readonly position: number
  readonly texts: readonly string[]
}

/** All samples of a run by position, a chunk in memory at a time. */
export function* readSearchedTexts(db: Database, runNo: number): Generator<SearchedTexts> {
  const samples = db.prepare(
    `select s.position, t.task_id, a.output_preview from samples s join tasks t on t.no = s.task_no
     left join attempts a on a.run_no = coalesce(s.source_no, s.run_no) and a.position = s.position and a.number = s.attempts
     where s.run_no = ? and s.position > ? order by s.position limit ${chunk}`,
  )
  const answers = db.prepare(
    `select distinct position, answer from scores where run_no = ? and position between ? and ? and answer is not null`,
  )
  for (let after = -1; ; ) {
    const rows = samples.all(runNo, after).map(row => TextRow.parse(row))
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) return
    const found = Map.groupBy(
      answers.all(runNo, first.position, last.position).map(row => AnswerRow.parse(row)),
      ({ position }) => position,
    )
    for (const { position, task_id, output_preview } of rows)
      yield { position, texts: [task_id, output_preview ?? '', ...(found.get(position) ?? []).map(({ answer }) => answer)] }
    after = last.position
  }
}
