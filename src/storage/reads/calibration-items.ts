import { z } from 'zod'
import type { Database } from '../database.ts'

const Prediction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('label'), label: z.string() }),
  z.object({ kind: z.literal('value'), value: z.number() }),
  z.object({ kind: z.literal('unscored'), reason: z.string() }),
])

const Row = z.object({
  example_id: z.string(),
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
      'select example_id, label, by_people, prediction, pairs, flips from calibration_items where calibration_no = ? order by position',
    )
    .all(calibrationNo)
    .map(value => {
      const row = Row.parse(value)
      return {
        exampleId: row.example_id,
        label: row.label,
        byPeople: row.by_people === 1,
        prediction: Prediction.parse(JSON.parse(row.prediction)),
        swapped: { pairs: row.pairs, flips: row.flips },
      }
    })
}
