import { TuneCall, type TuneDraft, TuneGrader, TuneObjective } from '../../contract/tuning/draft.schemas.ts'
import { TuneConclusion } from '../../contract/tuning/race.schemas.ts'
import type { TuneSessionStatus } from '../../contract/tuning/session.machine.ts'
import type { TuneApproval, TuneBenchmark, TuneSessionListItem } from '../../contract/tuning/sessions.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { isFiled, type Filing } from '../../storage/reads/filed-items.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'

/** What a revision of a draft holds beside its cases. */
export interface DraftContent {
  readonly name: string
  readonly call: TuneCall | null
  readonly grader: TuneGrader | null
  readonly objective: TuneObjective
}

export interface NewSessionRow {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly automation: boolean
  readonly owner: { readonly kind: 'person' | 'api_key'; readonly id: string }
  readonly principalId: string
  readonly createdAt: string
}

export function insertSession(db: Database, row: NewSessionRow): number {
  const { lastInsertRowid } = db.run(
    db.sql.insertInto('tune_sessions').values({
      id: row.id,
      workspace_id: row.workspaceId,
      name: row.name,
      search: row.name.toLowerCase(),
      status: 'draft',
      automation: row.automation ? 1 : 0,
      revision: 0,
      case_count: 0,
      case_bytes: 0,
      next_position: 0,
      owner_kind: row.owner.kind,
      owner_id: row.owner.id,
      principal_id: row.principalId,
      approval: null,
      benchmark: null,
      conclusion: null,
      created_at: row.createdAt,
      updated_at: row.createdAt,
    }),
  )
  return lastInsertRowid
}

export type SessionRow = NonNullable<ReturnType<typeof findSession>>

export function findSession(db: Database, workspaceId: string, id: string) {
  return db.first(db.sql.selectFrom('tune_sessions').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id.toLowerCase()))
}

export interface SessionsQuery extends Filing, PageQuery {
  readonly q: string
  readonly status?: TuneSessionStatus | undefined
}

export function listSessions(db: Database, workspaceId: string, { cursor, limit, ...filters }: SessionsQuery) {
  const { q, status } = filters
  let select = db.sql
    .selectFrom('tune_sessions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(isFiled('session', 'tune_sessions.id', workspaceId, filters))
  if (status) select = select.where('status', '=', status)
  if (q) select = select.where(e => e(e.fn<number>('instr', ['search', e.val(q.toLowerCase())]), '>', 0))
  return newestFirst(
    db,
    select,
    'no',
    { endpoint: 'listTuneSessions', filters: { workspaceId, ...filters } },
    { cursor, limit },
    toListItem,
  )
}

export function commonFields(row: SessionRow) {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    automation: row.automation === 1,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export function toListItem(row: SessionRow): TuneSessionListItem {
  return {
    ...commonFields(row),
    case_count: row.case_count,
    conclusion: row.conclusion === null ? null : TuneConclusion.parse(JSON.parse(row.conclusion)),
  }
}

/** A revision of the draft, without its cases. */
export function findDraft(
  db: Database,
  sessionNo: number,
  revision: number,
): (DraftContent & Pick<TuneDraft, 'revision' | 'case_count' | 'updated_at'>) | null {
  const row = db.first(db.sql.selectFrom('tune_drafts').selectAll().where('session_no', '=', sessionNo).where('revision', '=', revision))
  return row
    ? {
        revision: row.revision,
        name: row.name,
        case_count: row.case_count,
        call: row.call === null ? null : TuneCall.parse(JSON.parse(row.call)),
        grader: row.grader === null ? null : TuneGrader.parse(JSON.parse(row.grader)),
        objective: TuneObjective.parse(JSON.parse(row.objective)),
        updated_at: row.updated_at,
      }
    : null
}

export interface CaseTotals {
  readonly count: number
  readonly bytes: number
  readonly nextPosition: number
}

/** The next revision, in the caller's transaction. */
export function insertRevision(
  db: Database,
  sessionNo: number,
  revision: number,
  { name, call, grader, objective }: DraftContent,
  totals: CaseTotals,
  at: string,
): void {
  db.run(
    db.sql.insertInto('tune_drafts').values({
      session_no: sessionNo,
      revision,
      name,
      case_count: totals.count,
      call: call && JSON.stringify(call),
      grader: grader && JSON.stringify(grader),
      objective: JSON.stringify(objective),
      updated_at: at,
    }),
  )
  db.run(
    db.sql
      .updateTable('tune_sessions')
      .set({
        revision,
        name,
        search: name.toLowerCase(),
        case_count: totals.count,
        case_bytes: totals.bytes,
        next_position: totals.nextPosition,
        updated_at: at,
      })
      .where('no', '=', sessionNo),
  )
}

/** In the caller's transaction. */
export function storeApproval(db: Database, sessionNo: number, approval: TuneApproval, benchmark: TuneBenchmark): void {
  db.run(
    db.sql
      .updateTable('tune_sessions')
      .set({ approval: JSON.stringify(approval), benchmark: JSON.stringify(benchmark), updated_at: approval.at })
      .where('no', '=', sessionNo),
  )
}

export function touchSession(db: Database, sessionNo: number, at: string): void {
  db.run(db.sql.updateTable('tune_sessions').set({ updated_at: at }).where('no', '=', sessionNo))
}

export function findSessionByNo(db: Database, no: number): SessionRow | null {
  return db.first(db.sql.selectFrom('tune_sessions').selectAll().where('no', '=', no)) ?? null
}
