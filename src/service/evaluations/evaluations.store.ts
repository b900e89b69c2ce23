import type { RunStatus } from '../../contract/runs/run.machine.ts'
import type { ResolvedSelection } from '../../contract/suites/suites.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { matchesWords } from '../../storage/matching-words.ts'
import { packSelections } from '../suites/index.ts'

export interface NewEvaluationRow {
  readonly id: string
  readonly workspaceId: string
  readonly runId: string
  readonly suiteVersionId: string | null
  readonly selections: readonly ResolvedSelection[]
  readonly operationKey: string | null
  readonly bodyDigest: string
  readonly createdAt: string
}

export function insertEvaluation(db: Database, row: NewEvaluationRow): void {
  db.run(
    db.sql.insertInto('evaluations').values({
      id: row.id,
      workspace_id: row.workspaceId,
      run_id: row.runId,
      suite_version_id: row.suiteVersionId,
      selections: packSelections(row.selections),
      operation_key: row.operationKey,
      body_digest: row.bodyDigest,
      created_at: row.createdAt,
    }),
  )
}

const columns = ['evaluations.id', 'evaluations.run_id', 'evaluations.suite_version_id', 'evaluations.created_at'] as const

export type EvaluationRow = NonNullable<ReturnType<typeof findEvaluation>>
export type ListedEvaluation = Omit<EvaluationRow, 'selections' | 'body_digest'>

export function findEvaluation(db: Database, workspaceId: string, id: string) {
  return db.first(
    db.sql
      .selectFrom('evaluations')
      .select([...columns, 'selections', 'body_digest'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id.toLowerCase()),
  )
}

/** Id of the evaluation that a run is; null for any other run. */
export function evaluationOfRun(db: Database, workspaceId: string, runId: string): string | null {
  const query = db.sql.selectFrom('evaluations').select('id').where('workspace_id', '=', workspaceId).where('run_id', '=', runId)
  return db.first(query)?.id ?? null
}

/** The evaluation that this key names for good. */
export function findByOperation(db: Database, workspaceId: string, key: string) {
  return db.first(
    db.sql
      .selectFrom('evaluations')
      .select([...columns, 'selections', 'body_digest'])
      .where('workspace_id', '=', workspaceId)
      .where('operation_key', '=', key),
  )
}

export interface EvaluationsQuery extends PageQuery {
  readonly status?: RunStatus | undefined
  readonly suite_version_id?: string | undefined
  readonly q: string
}

export function listEvaluations<Item>(
  db: Database,
  workspaceId: string,
  { cursor, limit, status, suite_version_id: suite, q }: EvaluationsQuery,
  toItem: (row: ListedEvaluation) => Item,
) {
  let select = db.sql
    .selectFrom('evaluations')
    .innerJoin('runs', 'runs.id', 'evaluations.run_id')
    .select(columns)
    .where('evaluations.workspace_id', '=', workspaceId)
  if (status) select = select.where('runs.status', '=', status)
  if (suite) select = select.where('evaluations.suite_version_id', '=', suite.toLowerCase())
  if (q) select = select.where(matchesWords('runs.search', q))
  return newestFirst(
    db,
    select,
    ['evaluations', 'id'],
    { endpoint: 'listEvaluations', filters: { workspaceId, status, suite, q } },
    { cursor, limit },
    toItem,
  )
}
