import { type Issue, IssueEvent } from '../../contract/releases/issues.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'

type LinkedTask = Issue['tasks'][number]
type IssueRow = NonNullable<ReturnType<typeof findIssueRow>>
const shownEvents = 1000

export function insertIssue(db: Database, workspaceId: string, { tasks, ...issue }: Issue): void {
  db.run(db.sql.insertInto('release_issues').values({ ...issue, workspace_id: workspaceId }))
  linkTasks(db, issue.id, tasks)
}

export function linkTasks(db: Database, issueId: string, tasks: readonly LinkedTask[]): void {
  const insert = db.prepare('insert into release_issue_tasks (issue_id, source_ref, task_id) values (?, ?, ?) on conflict do nothing')
  for (const task of tasks) insert.run(issueId, task.source_ref, task.task_id)
}

type Change = Partial<Pick<Issue, 'trace_id' | 'url' | 'reason' | 'last_result'>> & Pick<Issue, 'updated_at'>

export function updateIssue(db: Database, id: string, change: Change): void {
  db.run(db.sql.updateTable('release_issues').set(change).where('id', '=', id))
}

function findIssueRow(db: Database, workspaceId: string, id: string) {
  return db.first(
    db.sql.selectFrom('release_issues').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id.toLowerCase()),
  )
}

export function findIssue(db: Database, workspaceId: string, id: string): Issue | null {
  const row = findIssueRow(db, workspaceId, id)
  return row ? toIssue(db, row) : null
}

function toIssue(db: Database, { workspace_id: _, ...row }: IssueRow): Issue {
  const tasks = db.all(
    db.sql.selectFrom('release_issue_tasks').select(['source_ref', 'task_id']).where('issue_id', '=', row.id).orderBy('no'),
  )
  return { ...row, tasks }
}

export function insertIssueEvent(db: Database, workspaceId: string, event: IssueEvent): void {
  db.run(
    db.sql.insertInto('release_issue_events').values({
      id: event.id,
      issue_id: event.issue_id,
      workspace_id: workspaceId,
      event: JSON.stringify(event),
      created_at: event.at,
    }),
  )
}

/** Oldest first. */
export function eventsOf(db: Database, issueId: string): IssueEvent[] {
  const query = db.sql.selectFrom('release_issue_events').select('event').where('issue_id', '=', issueId).orderBy('id').limit(shownEvents)
  return db.all(query).map(row => IssueEvent.parse(JSON.parse(row.event)))
}

export interface IssuesQuery extends PageQuery {
  readonly status?: Issue['status'] | undefined
}

export function listIssues(db: Database, workspaceId: string, { cursor, limit, status }: IssuesQuery) {
  let query = db.sql.selectFrom('release_issues').selectAll().where('workspace_id', '=', workspaceId)
  if (status !== undefined) query = query.where('status', '=', status)
  return newestFirst(db, query, 'id', { endpoint: 'listIssues', filters: { workspaceId, status } }, { cursor, limit }, row =>
    toIssue(db, row),
  )
}

/** The newest issues that have tasks, whatever their state. */
export function issuesWithTasks(db: Database, workspaceId: string, most: number): Issue[] {
  const query = db.sql
    .selectFrom('release_issues')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(({ exists, selectFrom, ref }) =>
      exists(selectFrom('release_issue_tasks as t').select('t.no').where('t.issue_id', '=', ref('release_issues.id'))),
    )
  return db.all(query.orderBy('id', 'desc').limit(most)).map(row => toIssue(db, row))
}

/** Every issue that is not closed. */
export function unclosedIssues(db: Database, workspaceId: string): Issue[] {
  const query = db.sql.selectFrom('release_issues').selectAll().where('workspace_id', '=', workspaceId).where('status', '<>', 'closed')
  return db.all(query.orderBy('id')).map(row => toIssue(db, row))
}
