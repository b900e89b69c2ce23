import { sql } from 'kysely'
import { z } from 'zod'
import { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { DecisionStatus } from '../../contract/releases/decision.machine.ts'
import { ReleasePlan } from '../../contract/releases/decisions.schemas.ts'
import { ReleaseRecommendation, RuleVerdict } from '../../contract/releases/verdicts.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { isFiled, type Filing } from '../../storage/reads/filed-items.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { matchesWords } from '../../storage/matching-words.ts'

const Outcome = z.strictObject({ rules: z.array(RuleVerdict), recommendation: ReleaseRecommendation, cautions: z.array(z.string()) })
const Suspects = z.array(z.strictObject({ group: z.string(), task: z.string() }))
const Notes = z.array(z.string())

/** Whose wallet and key ceiling the steps of a decision use. */
export const Payer = z.strictObject({ principalId: z.string(), owner: JobOwner })
export type Payer = z.infer<typeof Payer>

export type DecisionOutcome = z.infer<typeof Outcome>

/** Who asks: a person, whatever the session, or a key. */
export interface Author {
  readonly kind: 'person' | 'key'
  readonly id: string
  readonly name: string
}

export interface NewDecisionRow {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly plan: ReleasePlan
  readonly planDigest: string
  readonly lineage: string
  readonly by: Author
  readonly createdAt: string
}

export function insertDecision(db: Database, row: NewDecisionRow): number {
  return db.run(
    db.sql.insertInto('release_decisions').values({
      id: row.id,
      workspace_id: row.workspaceId,
      name: row.name,
      status: 'draft',
      suite_version_id: row.plan.suite.id,
      policy_id: row.plan.policy.id,
      plan: JSON.stringify(row.plan),
      plan_digest: row.planDigest,
      lineage: row.lineage,
      attempt: null,
      alpha: null,
      look: 1,
      outcome: null,
      suspects: null,
      notes: '[]',
      job_id: null,
      payer: null,
      by_kind: row.by.kind,
      by_id: row.by.id,
      by_name: row.by.name,
      created_at: row.createdAt,
      closed_at: null,
    }),
  ).lastInsertRowid
}

export interface DecisionRow {
  readonly no: number
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly status: DecisionStatus
  readonly plan: ReleasePlan
  readonly planDigest: string
  readonly lineage: string
  readonly attempt: number | null
  readonly alpha: number | null
  readonly look: number
  readonly outcome: DecisionOutcome | null
  /** Null before the last look's analysis. */
  readonly suspects: z.infer<typeof Suspects> | null
  readonly notes: readonly string[]
  readonly jobId: string | null
  /** Null before the first advance. */
  readonly payer: Payer | null
  readonly by: Author
  readonly createdAt: string
  readonly closedAt: string | null
}

const select = (db: Database, workspaceId: string) =>
  db.sql.selectFrom('release_decisions').selectAll().where('workspace_id', '=', workspaceId)

type Stored = NonNullable<ReturnType<typeof first>>
const first = (db: Database) => db.first(select(db, ''))

const parsed = <T>(schema: z.ZodType<T>, text: string | null): T | null => (text === null ? null : schema.parse(JSON.parse(text)))

function toRow(row: Stored): DecisionRow {
  return {
    no: row.no,
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    status: row.status,
    plan: ReleasePlan.parse(JSON.parse(row.plan)),
    planDigest: row.plan_digest,
    lineage: row.lineage,
    attempt: row.attempt,
    alpha: row.alpha,
    look: row.look,
    outcome: parsed(Outcome, row.outcome),
    suspects: parsed(Suspects, row.suspects),
    notes: Notes.parse(JSON.parse(row.notes)),
    jobId: row.job_id,
    payer: parsed(Payer, row.payer),
    by: { kind: row.by_kind, id: row.by_id, name: row.by_name },
    createdAt: row.created_at,
    closedAt: row.closed_at,
  }
}

export function findDecision(db: Database, workspaceId: string, id: string): DecisionRow | null {
  const row = db.first(select(db, workspaceId).where('id', '=', id.toLowerCase()))
  return row ? toRow(row) : null
}

/** Decisions that collect, of every workspace, or only those that use an evaluation, which they may have adopted. */
export function collectingDecisions(db: Database, evaluationId: string | null): DecisionRow[] {
  const query = db.sql.selectFrom('release_decisions').selectAll().where('status', '=', 'collecting').orderBy('no')
  if (evaluationId === null) return db.all(query).map(toRow)
  return db
    .all(
      query.where(({ exists, selectFrom, ref }) =>
        exists(
          selectFrom('release_evaluations as e')
            .select('e.no')
            .where('e.decision_no', '=', ref('release_decisions.no'))
            .where('e.evaluation_id', '=', evaluationId),
        ),
      ),
    )
    .map(toRow)
}

/** The decision that started an evaluation; null for one that was adopted or is of none. */
export function findDecisionOfEvaluation(db: Database, workspaceId: string, evaluationId: string): DecisionRow | null {
  const row = db.first(
    select(db, workspaceId).where(({ exists, selectFrom, ref }) =>
      exists(
        selectFrom('release_evaluations as e')
          .select('e.no')
          .where('e.decision_no', '=', ref('release_decisions.no'))
          .where('e.evaluation_id', '=', evaluationId)
          .where('e.adopted', '=', 0),
      ),
    ),
  )
  return row ? toRow(row) : null
}

export interface DecisionsQuery extends Filing, PageQuery {
  readonly status?: DecisionStatus | undefined
  readonly q: string
}

export function listDecisions<Item>(
  db: Database,
  workspaceId: string,
  { cursor, limit, ...filters }: DecisionsQuery,
  toItem: (row: DecisionRow) => Item,
) {
  const { status, q } = filters
  let query = select(db, workspaceId).where(isFiled('decision', 'release_decisions.id', workspaceId, filters))
  if (status) query = query.where('status', '=', status)
  if (q) query = query.where(matchesWords(sql<string>`lower(name)`, q))
  return newestFirst(db, query, 'no', { endpoint: 'listReleaseDecisions', filters: { workspaceId, ...filters } }, { cursor, limit }, row =>
    toItem(toRow(row)),
  )
}

/** Attempts of one lineage so far. */
export function countAttempts(db: Database, lineage: string): number {
  const row = db.first(
    db.sql
      .selectFrom('release_decisions')
      .select(e => e.fn.max('attempt').as('most'))
      .where('lineage', '=', lineage),
  )
  return row?.most ?? 0
}

export interface DecisionChange {
  readonly attempt?: number
  readonly alpha?: number
  readonly look?: number
  readonly outcome?: DecisionOutcome
  readonly suspects?: readonly { readonly group: string; readonly task: string }[]
  readonly notes?: readonly string[]
  readonly jobId?: string
  readonly payer?: Payer
  readonly closedAt?: string
}

export function changeDecision(
  db: Database,
  no: number,
  { outcome, suspects, notes, jobId, payer, closedAt, ...plain }: DecisionChange,
): void {
  db.run(
    db.sql
      .updateTable('release_decisions')
      .set({
        ...plain,
        ...(outcome ? { outcome: JSON.stringify(outcome) } : {}),
        ...(suspects ? { suspects: JSON.stringify(suspects) } : {}),
        ...(notes ? { notes: JSON.stringify(notes) } : {}),
        ...(jobId ? { job_id: jobId } : {}),
        ...(payer ? { payer: JSON.stringify(payer) } : {}),
        ...(closedAt ? { closed_at: closedAt } : {}),
      })
      .where('no', '=', no),
  )
}
