import { z } from 'zod'
import type { Database } from '../database.ts'

const Prediction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('label'), label: z.string() }),
  z.object({ kind: z.literal('value'), value: z.number() }),
  z.object({ kind: z.literal('unscored'), reason: z.string() }),
])

const Row = z.object({
  example_id: z.string(),
  author: z.string().nullable(),
  label: z.string().nullable(),
  by_people: z.int(),
  prediction: z.string(),
  pairs: z.int(),
  flips: z.int(),
})

/** What a calibration's figures are computed from, in the dataset version's order. */
export function readCalibrationItems(db: Database, calibrationNo: number) {
  return db
    .prepare(
      `select i.example_id, i.label, i.by_people, i.prediction, i.pairs, i.flips,
       case json_type(r.content, '$.metadata.model') when 'text' then json_extract(r.content, '$.metadata.model') end as author
       from calibration_items i join dataset_examples e on e.id = i.example_id
       join dataset_revisions r on r.example_no = e.no and r.revision = i.revision where i.calibration_no = ? order by i.position`,
    )
    .all(calibrationNo)
    .map(value => {
      const row = Row.parse(value)
      return {
        exampleId: row.example_id,
        author: row.author,
        label: row.label,
        byPeople: row.by_people === 1,
        prediction: Prediction.parse(JSON.parse(row.prediction)),
        swapped: { pairs: row.pairs, flips: row.flips },
      }
    })
}
