import { z } from 'zod'
import type { Database } from '../database.ts'

const Output = z.object({ position: z.int(), profile_no: z.int(), output_preview: z.string().nullable() })
const Answer = z.object({ position: z.int(), metric_no: z.int(), answer: z.string().nullable() })

export interface MatrixAnswer {
  readonly answer: string | null
  readonly outputPreview: string | null
}

/**
 * What samples of a run answered as of a result version, by position: a later part may have replaced it.
 * @param wanted positions of the samples
 * @param metricOf number of the metric whose answer is wanted
 */
export function readMatrixAnswers(
  db: Database,
  { runId, version }: { readonly runId: string; readonly version: number },
  wanted: readonly number[],
  metricOf: (position: number, profileNo: number) => number,
): ReadonlyMap<number, MatrixAnswer> {
  const run = db.first(db.sql.selectFrom('runs').select('no').where('id', '=', runId))
  if (!run) return new Map()
  const positions = JSON.stringify(wanted)
  const outputs = db
    .prepare(
      `select s.position, s.profile_no, a.output_preview from json_each(?) page cross join samples s on s.run_no = ? and s.position = page.value
       left join superseded_samples o on o.run_no = s.run_no and o.position = s.position and o.last_version =
         (select min(l.last_version) from superseded_samples l where l.run_no = s.run_no and l.position = s.position and l.last_version >= ?)
       left join attempts a on a.position = s.position and a.number = coalesce(o.attempts, s.attempts)
         and a.run_no = coalesce(case when o.position is null then s.source_no else o.source_no end, s.run_no)`,
    )
    .all(positions, run.no, version)
    .map(row => Output.parse(row))
  // Versions ascend: of several that hold, the last one read stays.
  const answers = new Map(
    db
      .prepare(
        `select position, metric_no, answer from scores where run_no = ? and position in (select value from json_each(?)) and version <= ?
         order by position, metric_no, version`,
      )
      .all(run.no, positions, version)
      .map(row => Answer.parse(row))
      .map(({ position, metric_no: metric, answer }) => [`${position} ${metric}`, answer]),
  )
  return new Map(
    outputs.map(({ position, profile_no: profileNo, output_preview: outputPreview }) => [
      position,
      { answer: answers.get(`${position} ${metricOf(position, profileNo)}`) ?? null, outputPreview },
    ]),
  )
}
