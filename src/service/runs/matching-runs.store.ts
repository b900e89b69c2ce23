import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { RunFilter } from '../../contract/runs/run-filter.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { matchesWords } from '../../storage/matching-words.ts'
import { ofRun } from '../../storage/reads/annotations.ts'
import { isFiled } from '../../storage/reads/filed-items.ts'
import type { Tables } from '../../storage/schema/tables.ts'

/** Whether a run is in the list of a workspace that is narrowed so. */
export function isMatchingRun(workspaceId: string, filter: RunFilter): Expression<SqlBool> {
  const { status, archived, q, tag, bookmarked, pinned, model, benchmark, folder, by } = filter
  const { has_result: hasResult, created_from: from, created_before: before } = filter
  const e = expressionBuilder<Tables, 'runs'>()
  const marked = (kind: 'bookmark' | 'tag', word: string) =>
    e.selectFrom('run_marks').select('run_no').where('position', '=', ofRun).where('kind', '=', kind).where('tag', '=', word)
  const conditions: Expression<SqlBool>[] = [
    e('runs.workspace_id', '=', workspaceId),
    e('runs.part_of', 'is', null),
    e('runs.answers', '!=', 'importing'),
    e('runs.deleted_at', 'is', null),
  ]
  if (model !== undefined) {
    const asked = e.selectFrom('quotes as q').select('q.id').where('q.workspace_id', '=', workspaceId).where('q.model', '=', model)
    conditions.push(e('runs.quote_id', 'in', asked))
  }
  if (benchmark !== undefined) {
    const over = e.selectFrom('run_profiles').select('run_no').where('workspace_id', '=', workspaceId)
    // A profile's id begins with its benchmark's slug and an @, which is before A.
    conditions.push(e('runs.no', 'in', over.where('profile_id', '>=', `${benchmark}@`).where('profile_id', '<', `${benchmark}A`)))
  }
  if (status) conditions.push(e('runs.status', '=', status))
  if (archived !== 'any') conditions.push(e('runs.archived_at', archived === 'true' ? 'is not' : 'is', null))
  if (pinned) conditions.push(e('runs.pinned_at', pinned === 'true' ? 'is not' : 'is', null))
  if (hasResult) conditions.push(e('runs.result_version', hasResult === 'true' ? 'is not' : 'is', null))
  if (by !== undefined) {
    const own = e.selectFrom('sessions').select('sessions.id').where('sessions.person_id', '=', by)
    conditions.push(e.or([e('runs.principal_id', '=', by), e('runs.principal_id', 'in', own)]))
  }
  if (from !== undefined) conditions.push(e('runs.created_at', '>=', from))
  if (before !== undefined) conditions.push(e('runs.created_at', '<', before))
  if (folder !== undefined) conditions.push(isFiled('run', 'runs.id', workspaceId, { folder }))
  if (tag !== undefined) conditions.push(e('runs.no', 'in', marked('tag', tag)))
  if (bookmarked) conditions.push(e('runs.no', bookmarked === 'true' ? 'in' : 'not in', marked('bookmark', '')))
  if (q) conditions.push(matchesWords('runs.search', q))
  return e.and(conditions)
}

/** Newest first. */
export function matchingRunIds(db: Database, workspaceId: string, filter: RunFilter): string[] {
  const select = db.sql.selectFrom('runs').select('runs.id').where(isMatchingRun(workspaceId, filter)).orderBy('runs.id', 'desc')
  return db.all(select).map(({ id }) => id)
}
