import { z } from 'zod'
import { modelIdentity } from '../../lib/model-identity.ts'
import type { Database } from '../database.ts'

/** Runs that are looked at, the latest of the workspace. */
const mostRuns = 200

const RunRows = z.array(
  z.object({ no: z.int(), is_model: z.int(), route_id: z.string().nullable(), origin: z.string().nullable(), model: z.string() }),
)
const ScoreRows = z.array(
  z.object({
    task_no: z.int(),
    run_no: z.int(),
    value: z.number(),
    input_tokens: z.number().nullable(),
    output_tokens: z.number().nullable(),
  }),
)

/** What models, not baselines, scored on these tasks in the workspace's latest runs: a row for each task and run. */
export function readTaskHistory(db: Database, workspaceId: string, taskNumbers: readonly number[]) {
  const runs = RunRows.parse(
    db
      .prepare(
        `select r.no, json_extract(q.record, '$.model.is_model') as is_model,
         json_extract(q.record, '$.model.route_id') as route_id, json_extract(q.record, '$.model.origin') as origin,
         json_extract(q.record, '$.model.model') as model
         from runs r join quotes q on q.id = r.quote_id
         where r.workspace_id = ? and r.result_version is not null and r.deleted_at is null order by r.id desc limit ${mostRuns}`,
      )
      .all(workspaceId),
  ).filter(run => run.is_model === 1)
  const modelOf = new Map(
    runs.map(run => [run.no, { model: JSON.stringify([run.route_id, run.origin, run.model]), identity: modelIdentity(run) }]),
  )
  const oldest = runs.reduce((least, run) => Math.min(least, run.no), Number.MAX_SAFE_INTEGER)
  const scores = ScoreRows.parse(
    db
      .prepare(
        `select s.task_no, s.run_no, avg(s.value) as value, avg(s.input_tokens) as input_tokens, avg(s.output_tokens) as output_tokens
         from json_each(?) j cross join samples s on s.task_no = j.value and s.run_no >= ? and s.value is not null
         group by s.task_no, s.run_no order by s.task_no, s.run_no`,
      )
      .all(JSON.stringify(taskNumbers), oldest),
  )
  return scores.flatMap(score => {
    const model = modelOf.get(score.run_no)
    if (model === undefined) return []
    return [{ taskNo: score.task_no, ...model, value: score.value, inputTokens: score.input_tokens, outputTokens: score.output_tokens }]
  })
}
