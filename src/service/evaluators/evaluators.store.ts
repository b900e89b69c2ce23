import { EvaluatorDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { CalibrationRef, EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import { remoteScorerProtocol } from '../../contract/evaluators/remote-scorers.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { isFiled, type Filing } from '../../storage/reads/filed-items.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { matchesWords } from '../../storage/matching-words.ts'

/** A stored version with what its evaluation needs beside the contract's snapshot. */
export interface StoredEvaluator {
  readonly workspaceId: string
  readonly depth: number
  readonly snapshot: EvaluatorSnapshot
}

export function insertEvaluator(db: Database, { workspaceId, depth, snapshot }: StoredEvaluator): void {
  db.run(
    db.sql.insertInto('evaluator_versions').values({
      id: snapshot.id,
      workspace_id: workspaceId,
      evaluator_id: snapshot.evaluator_id,
      version: snapshot.version,
      previous_version_id: snapshot.previous_version_id,
      name: snapshot.name,
      description: snapshot.description,
      kind: snapshot.definition.kind,
      definition: JSON.stringify(snapshot.definition),
      digest: snapshot.digest,
      depth,
      model_calls: snapshot.requires.model_calls_per_output,
      sandbox: snapshot.requires.sandbox ? 1 : 0,
      search: `${snapshot.name} ${snapshot.description}`.toLowerCase(),
      created_at: snapshot.created_at,
    }),
  )
}

const select = (db: Database) =>
  db.sql
    .selectFrom('evaluator_versions as v')
    .leftJoin('evaluator_versions as next', 'next.previous_version_id', 'v.id')
    .leftJoin('calibrations as own', join =>
      join.on(e =>
        e(
          'own.no',
          '=',
          e
            .selectFrom('calibrations as c')
            .select(({ fn }) => fn.max('c.no').as('no'))
            .where('c.status', '=', 'resolved')
            .whereRef('c.evaluator_version_id', '=', 'v.id'),
        ),
      ),
    )
    .leftJoin('calibrations as latest', join =>
      join.on(e =>
        e(
          'latest.no',
          '=',
          e
            .selectFrom('calibrations as c')
            .select(({ fn }) => fn.max('c.no').as('no'))
            .where('c.status', '=', 'resolved')
            .whereRef('c.evaluator_id', '=', 'v.evaluator_id'),
        ),
      ),
    )
    .selectAll('v')
    .select([
      'next.id as next_id',
      'own.id as own_id',
      'own.verdict as own_verdict',
      'latest.id as latest_id',
      'latest.verdict as latest_verdict',
    ])

type Row = NonNullable<ReturnType<typeof firstRow>>
const firstRow = (db: Database) => db.first(select(db))

function toStored(row: Row): StoredEvaluator {
  const definition = EvaluatorDefinition.parse(JSON.parse(row.definition))
  return {
    workspaceId: row.workspace_id,
    depth: row.depth,
    snapshot: {
      id: row.id,
      evaluator_id: row.evaluator_id,
      version: row.version,
      previous_version_id: row.previous_version_id,
      latest: row.next_id === null,
      name: row.name,
      description: row.description,
      definition,
      digest: row.digest,
      requires: { model_calls_per_output: row.model_calls, sandbox: row.sandbox === 1 },
      protocol: protocolOf(definition),
      calibration: calibrationRef(row),
      created_at: row.created_at,
    },
  }
}

export function protocolOf({ kind }: Pick<EvaluatorDefinition, 'kind'>): EvaluatorSnapshot['protocol'] {
  return kind === 'remote' ? { ...remoteScorerProtocol } : null
}

function calibrationRef(row: Row): CalibrationRef {
  if (row.own_id !== null) return { status: 'current', id: row.own_id, ...verdictOf(row.own_verdict) }
  return row.latest_id === null ? { status: 'none' } : { status: 'stale', id: row.latest_id, ...verdictOf(row.latest_verdict) }
}

function verdictOf(verdict: string | null): Pick<CalibrationRef, 'verdict'> {
  return verdict === 'usable' || verdict === 'weak' || verdict === 'uninformative' ? { verdict } : {}
}

/** Null where the workspace has no such version. */
export function findEvaluator(db: Database, workspaceId: string, id: string): StoredEvaluator | null {
  const row = db.first(select(db).where('v.id', '=', id.toLowerCase()).where('v.workspace_id', '=', workspaceId))
  return row ? toStored(row) : null
}

export interface EvaluatorsQuery extends Filing, PageQuery {
  readonly q: string
  readonly kind?: EvaluatorDefinition['kind'] | undefined
  readonly all_versions: boolean
}

/** The newest version of that name and content; null where there is none. */
export function findSameEvaluator(db: Database, workspaceId: string, name: string, digest: string): EvaluatorSnapshot | null {
  const row = db.first(
    select(db)
      .where('v.workspace_id', '=', workspaceId)
      .where('v.name', '=', name)
      .where('v.digest', '=', digest)
      .orderBy('v.created_at', 'desc')
      .orderBy('v.id', 'desc')
      .limit(1),
  )
  return row ? toStored(row).snapshot : null
}

export function listEvaluators(db: Database, workspaceId: string, { cursor, limit, ...filters }: EvaluatorsQuery) {
  const { q, kind, all_versions: all } = filters
  let rows = select(db)
    .where('v.workspace_id', '=', workspaceId)
    .where(isFiled('evaluator', 'v.evaluator_id', workspaceId, filters))
  if (!all) rows = rows.where('next.id', 'is', null)
  if (kind) rows = rows.where('v.kind', '=', kind)
  if (q) rows = rows.where(matchesWords('v.search', q))
  return newestFirst(
    db,
    rows,
    ['v', 'id'],
    { endpoint: 'listEvaluators', filters: { workspaceId, ...filters } },
    { cursor, limit },
    row => toStored(row).snapshot,
  )
}
