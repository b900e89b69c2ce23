import type { z } from 'zod'
import type { FeedbackStatus } from '../../contract/feedback/feedback.machine.ts'
import { FeedbackReport } from '../../contract/feedback/feedback.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import type { CleanReport } from './clean-report.ts'

export interface NewReport {
  readonly id: string
  readonly workspaceId: string
  readonly principalId: string
  readonly report: CleanReport
  readonly fingerprint: string
  readonly duplicateOf: string | null
  readonly createdAt: string
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

export function insertReport(db: Database, { id, workspaceId, principalId, report, fingerprint, duplicateOf, createdAt }: NewReport): void {
  db.run(
    db.sql.insertInto('feedback').values({
      id,
      workspace_id: workspaceId,
      principal_id: principalId,
      status: 'received',
      kind: report.kind,
      severity: report.severity,
      summary: report.summary,
      details: report.details,
      attempted: json(report.attempted),
      expected: report.expected,
      actual: report.actual,
      agent: json(report.agent),
      client: json(report.client),
      contact_ok: report.contact_ok ? 1 : 0,
      fingerprint,
      duplicate_of: duplicateOf,
      pr_url: null,
      resolution_note: null,
      created_at: createdAt,
      updated_at: createdAt,
    }),
  )
}

/** The earliest like report since then. */
export function findLike(db: Database, workspaceId: string, fingerprint: string, since: string): string | null {
  const row = db.first(
    db.sql
      .selectFrom('feedback')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('fingerprint', '=', fingerprint)
      .where('created_at', '>=', since)
      .orderBy('created_at')
      .orderBy('id')
      .limit(1),
  )
  return row?.id ?? null
}

/** When the n-th latest report was made; null when there are fewer. */
export function nthLatest(db: Database, workspaceId: string, n: number): string | null {
  const row = db.first(
    db.sql
      .selectFrom('feedback')
      .select('created_at')
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at', 'desc')
      .limit(1)
      .offset(n - 1),
  )
  return row?.created_at ?? null
}

type Row = NonNullable<ReturnType<typeof rowOf>>
const rowOf = (db: Database, workspaceId: string, id: string) =>
  db.first(db.sql.selectFrom('feedback').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id.toLowerCase()))

export function findReport(db: Database, workspaceId: string, id: string): FeedbackReport | null {
  const row = rowOf(db, workspaceId, id)
  return row ? toReport(row) : null
}

export interface FeedbackQuery extends PageQuery {
  readonly status?: FeedbackStatus | undefined
}

export function listReports(db: Database, workspaceId: string, { cursor, limit, status }: FeedbackQuery) {
  let select = db.sql.selectFrom('feedback').selectAll().where('workspace_id', '=', workspaceId)
  if (status) select = select.where('status', '=', status)
  return newestFirst(db, select, 'id', { endpoint: 'listFeedback', filters: { workspaceId, status } }, { cursor, limit }, toReport)
}

export interface Resolution {
  readonly prUrl: string | null
  readonly note: string | null
}

/** Records the triage time, and the outcome if the step has one. */
export function storeResolution(db: Database, id: string, { prUrl, note }: Resolution, at: string): void {
  db.run(
    db.sql
      .updateTable('feedback')
      .set({ updated_at: at, ...(prUrl === null ? {} : { pr_url: prUrl }), ...(note === null ? {} : { resolution_note: note }) })
      .where('id', '=', id),
  )
}

const Attempted = FeedbackReport.shape.attempted
const Agent = FeedbackReport.shape.agent
const Client = FeedbackReport.shape.client
const parse = <T>(schema: z.ZodType<T>, text: string | null): T => schema.parse(text === null ? null : JSON.parse(text))

function toReport(row: Row): FeedbackReport {
  return {
    feedback_id: row.id,
    status: row.status,
    duplicate_of: row.duplicate_of,
    kind: row.kind,
    severity: row.severity,
    summary: row.summary,
    details: row.details,
    attempted: parse(Attempted, row.attempted),
    expected: row.expected,
    actual: row.actual,
    agent: parse(Agent, row.agent),
    client: parse(Client, row.client),
    contact_ok: row.contact_ok === 1,
    pr_url: row.pr_url,
    resolution_note: row.resolution_note,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
