import { z } from 'zod'
import type { Database } from '../database.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .transform(name => name.slice(0, 200))
  .nullable()
  .catch(null)

const Row = z.object({
  verdict: z.string().nullable(),
  model_a: Name,
  model_b: Name,
  characters_a: z.int(),
  characters_b: z.int(),
})
export type JudgedPair = z.infer<typeof Row>

const textAt = (path: string, name: string) =>
  `case json_type(r.content, '${path}') when 'text' then json_extract(r.content, '${path}') end as ${name}`

/** Verdicts of a pairwise evaluator, with the models whose outputs were compared where the examples name them, in the version's order. */
export function readJudgedPairs(db: Database, calibrationNo: number): JudgedPair[] {
  return db
    .prepare(
      `select i.verdict, ${textAt('$.metadata.model_a', 'model_a')}, ${textAt('$.metadata.model_b', 'model_b')},
       coalesce(length(json_extract(r.content, '$.output.a')), 0) as characters_a,
       coalesce(length(json_extract(r.content, '$.output.b')), 0) as characters_b
       from calibration_items i join dataset_examples e on e.id = i.example_id
       join dataset_revisions r on r.example_no = e.no and r.revision = i.revision where i.calibration_no = ? order by i.position`,
    )
    .all(calibrationNo)
    .map(row => Row.parse(row))
}
