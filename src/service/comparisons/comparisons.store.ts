import { z } from 'zod'
import { Comparison, ComparisonListItem } from '../../contract/comparisons/comparisons.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { isFiled, type Filing } from '../../storage/reads/filed-items.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { matchesWords } from '../../storage/matching-words.ts'
import { facetOf } from '../../storage/reads/task-facet.ts'

export function insertComparison(db: Database, workspaceId: string, comparison: Comparison, tasks: Uint8Array): void {
  const { id, name, created_at, digest, headline, runs } = comparison
  const summary: ComparisonListItem = {
    id,
    name,
    created_at,
    digest,
    headline,
    runs: runs.map(run => ({ id: run.id, kind: run.kind, label: run.label, baseline: run.baseline })),
  }
  const search = [name, ...runs.flatMap(run => [run.name, run.model.title, run.model.model])].join(' ').toLowerCase()
  db.transaction(() => {
    db.run(
      db.sql.insertInto('comparisons').values({
        id,
        workspace_id: workspaceId,
        name,
        summary: JSON.stringify(summary),
        record: JSON.stringify(comparison),
        tasks,
        digest,
        search,
        created_at,
      }),
    )
    for (const run of runs) db.run(db.sql.insertInto('comparison_runs').values({ comparison_id: id, asked_id: run.id }))
  })
}

export function findComparison(db: Database, workspaceId: string, id: string): Comparison | null {
  const row = db.first(
    db.sql.selectFrom('comparisons').select('record').where('workspace_id', '=', workspaceId).where('id', '=', id.toLowerCase()),
  )
  return row ? Comparison.parse(JSON.parse(row.record)) : null
}

export interface ComparisonsQuery extends Filing, PageQuery {
  readonly run_id?: string | undefined
  readonly q: string
}

export function listComparisons(db: Database, workspaceId: string, { cursor, limit, ...filters }: ComparisonsQuery) {
  const { run_id: runId, q } = filters
  let select = db.sql
    .selectFrom('comparisons')
    .select(['id', 'summary'])
    .where('workspace_id', '=', workspaceId)
    .where(isFiled('comparison', 'comparisons.id', workspaceId, filters))
  if (runId) {
    const holding = db.sql.selectFrom('comparison_runs').select('comparison_id').where('asked_id', '=', runId.toLowerCase())
    select = select.where('id', 'in', holding)
  }
  if (q) select = select.where(matchesWords('search', q))
  return newestFirst(db, select, 'id', { endpoint: 'listComparisons', filters: { workspaceId, ...filters } }, { cursor, limit }, row =>
    ComparisonListItem.parse(JSON.parse(row.summary)),
  )
}

const TaskText = z.object({ no: z.int(), task_id: z.string(), preview: z.string(), capabilities: z.string() })
const Strings = z.array(z.string())

export interface TaskTextQuery {
  readonly capability?: string | undefined
  readonly breakdown?: string | undefined
  readonly breakdown_value?: string | undefined
  readonly q: string
}

/** Safe texts of those of the tasks that match, by number. */
export function matchingTasks(db: Database, numbers: readonly number[], query: TaskTextQuery) {
  const { capability, breakdown, breakdown_value: part, q } = query
  const conditions = ['no in (select value from json_each(?))']
  const values: unknown[] = [JSON.stringify(numbers)]
  if (capability !== undefined) {
    conditions.push('exists (select 1 from json_each(capabilities) where value = ?)')
    values.push(capability)
  }
  if (breakdown !== undefined && part !== undefined) {
    const { sql, bound } = facetOf(breakdown)
    conditions.push(`${sql} = ?`)
    values.push(...bound, part)
  }
  if (q) {
    conditions.push('(instr(lower(task_id), ?) > 0 or instr(lower(preview), ?) > 0)')
    values.push(q.toLowerCase(), q.toLowerCase())
  }
  const rows = db.prepare(`select no, task_id, preview, capabilities from tasks t where ${conditions.join(' and ')}`).all(...values)
  return new Map(
    rows.map(row => {
      const { no, capabilities, ...text } = TaskText.parse(row)
      return [no, { ...text, capabilities: Strings.parse(JSON.parse(capabilities)) }] as const
    }),
  )
}
