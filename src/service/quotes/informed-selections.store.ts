import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../../storage/database.ts'

/** Selections that are remembered in a workspace, the latest. */
const mostRemembered = 1000

const Count = z.object({ n: z.int() }).optional()

/** Tasks that were chosen with the help of some models' past results and without those of others. Models are identities; see `modelIdentity`. */
export interface InformedSelection {
  readonly workspaceId: string
  readonly informedBy: readonly string[]
  readonly leftOut: readonly string[]
  readonly taskNumbers: readonly number[]
  readonly at: string
}

/** Remembers a selection once, however often it is made. */
export function storeInformedSelection(db: Database, { workspaceId, informedBy, leftOut, taskNumbers, at }: InformedSelection): void {
  const tasks = [...new Set(taskNumbers)].sort((a, b) => a - b)
  const digest = createHash('sha256')
    .update(JSON.stringify([informedBy.toSorted(), leftOut.toSorted(), tasks]))
    .digest()
  db.transaction(() => {
    const { changes } = db
      .prepare('insert into informed_selections (workspace_id, digest, created_at) values (?, ?, ?) on conflict do nothing')
      .run(workspaceId, digest, at)
    if (changes === 0) return
    const no = 'select no from informed_selections where workspace_id = ? and digest = ?'
    const insertModels = db.prepare(
      `insert into informed_selection_models (workspace_id, model, selection_no, left_out) select distinct ?, m.value, (${no}), ? from json_each(?) m`,
    )
    insertModels.run(workspaceId, workspaceId, digest, 0, JSON.stringify(informedBy))
    insertModels.run(workspaceId, workspaceId, digest, 1, JSON.stringify(leftOut))
    db.prepare(`insert into informed_selection_tasks (selection_no, task_no) select (${no}), t.value from json_each(?) t`).run(
      workspaceId,
      digest,
      JSON.stringify(tasks),
    )
    forgetOldest(db, workspaceId)
  })
}

function forgetOldest(db: Database, workspaceId: string): void {
  const old = `select no from informed_selections where workspace_id = ? order by no desc limit -1 offset ${mostRemembered}`
  db.prepare(`delete from informed_selection_tasks where selection_no in (${old})`).run(workspaceId)
  db.prepare(`delete from informed_selection_models where selection_no in (${old})`).run(workspaceId)
  db.prepare(`delete from informed_selections where no in (${old})`).run(workspaceId)
}

/**
 * How many of these tasks one selection holds that a model's own results helped to choose: the largest number over all of them; 0 where
 * a selection that left its results out holds as many, since they would have been chosen all the same.
 */
export function chosenOnResultsOf(db: Database, workspaceId: string, model: string, taskNumbers: readonly number[]): number {
  const largest = db.prepare(
    `select count(*) as n from informed_selection_models m
     join informed_selection_tasks t on t.selection_no = m.selection_no
     where m.workspace_id = ? and m.model = ? and m.left_out = ? and t.task_no in (select value from json_each(?))
     group by m.selection_no order by n desc limit 1`,
  )
  const [own, others] = [0, 1].map(leftOut => Count.parse(largest.get(workspaceId, model, leftOut, JSON.stringify(taskNumbers)))?.n ?? 0)
  return own !== undefined && others !== undefined && own > others ? own : 0
}
