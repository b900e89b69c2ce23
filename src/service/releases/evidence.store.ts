import { z } from 'zod'
import { type By, By as BySchema } from '../../contract/datasets/examples.schemas.ts'
import {
  type Evidence,
  EvidenceAnalysis,
  EvidenceSource,
  EvidenceStatement,
  EvidenceTask,
} from '../../contract/releases/evidence.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import { tasksPerChunk } from '../../workers/evidence-pool.ts'

export interface NewEvidenceRow extends Pick<Evidence, 'id' | 'name' | 'format' | 'sha256' | 'source' | 'produced_at' | 'statement'> {
  readonly workspaceId: string
  readonly content: Buffer
  readonly by: By
  readonly createdAt: string
}

export function insertEvidence(db: Database, row: NewEvidenceRow): void {
  db.run(
    db.sql.insertInto('release_evidence').values({
      id: row.id,
      workspace_id: row.workspaceId,
      name: row.name,
      format: row.format,
      sha256: row.sha256,
      bytes: row.content.length,
      content: row.content,
      source: JSON.stringify(row.source),
      produced_at: row.produced_at,
      statement: row.statement === null ? null : JSON.stringify(row.statement),
      made_by: JSON.stringify(row.by),
      created_at: row.createdAt,
    }),
  )
}

const selectEvidence = (db: Database) =>
  db.sql
    .selectFrom('release_evidence as e')
    .select([
      'e.no',
      'e.id',
      'e.name',
      'e.format',
      'e.sha256',
      'e.bytes',
      'e.source',
      'e.produced_at',
      'e.statement',
      'e.made_by',
      'e.created_at',
    ])
    .select(of =>
      of
        .selectFrom('release_analyses as a')
        .select(a => a.fn.countAll<number>().as('analyses'))
        .whereRef('a.evidence_no', '=', 'e.no')
        .as('analyses'),
    )
type EvidenceRow = NonNullable<ReturnType<typeof findEvidence>>

export function findEvidence(db: Database, workspaceId: string, id: string) {
  return db.first(selectEvidence(db).where('e.workspace_id', '=', workspaceId).where('e.id', '=', id.toLowerCase()))
}

/** The evidence of these bytes in this format. */
export function findSameEvidence(db: Database, workspaceId: string, sha256: string, format: Evidence['format']): string | null {
  const query = db.sql.selectFrom('release_evidence').select('id').where('workspace_id', '=', workspaceId)
  return db.first(query.where('sha256', '=', sha256).where('format', '=', format))?.id ?? null
}

export function toEvidence({ no: _, made_by, source, statement, analyses, ...row }: EvidenceRow): Evidence {
  return {
    ...row,
    status: analyses === null || analyses === 0 ? 'received' : 'analyzed',
    source: EvidenceSource.parse(JSON.parse(source)),
    statement: statement === null ? null : EvidenceStatement.parse(JSON.parse(statement)),
    analyses: analyses ?? 0,
    by: BySchema.parse(JSON.parse(made_by)),
  }
}

/** Newest first. */
export function listEvidence(db: Database, workspaceId: string, limit: number, before: string | null): Evidence[] {
  const query = selectEvidence(db).where('e.workspace_id', '=', workspaceId).orderBy('e.id', 'desc').limit(limit)
  return db.all(before === null ? query : query.where('e.id', '<', before)).map(toEvidence)
}

/** Stores the next analysis with its tasks, which come as JSON by the chunk. */
export function insertAnalysis(
  db: Database,
  evidenceNo: number,
  analysis: Omit<EvidenceAnalysis, 'n'>,
  chunks: readonly string[],
): EvidenceAnalysis {
  return db.transaction(() => {
    const last = db.sql
      .selectFrom('release_analyses')
      .select(of => of.fn.max('n').as('n'))
      .where('evidence_no', '=', evidenceNo)
    const { evidence_id, ...rest } = analysis
    const numbered: EvidenceAnalysis = { evidence_id, n: (db.first(last)?.n ?? 0) + 1, ...rest }
    db.run(
      db.sql.insertInto('release_analyses').values({
        evidence_no: evidenceNo,
        n: numbered.n,
        suite_version_id: numbered.suite_version_id,
        analysis: JSON.stringify(numbered),
        digest: numbered.digest,
        created_at: numbered.created_at,
      }),
    )
    const stored = db.first(
      db.sql.selectFrom('release_analyses').select('no').where('evidence_no', '=', evidenceNo).where('n', '=', numbered.n),
    )
    const insert = db.prepare('insert into release_analysis_tasks (analysis_no, chunk, tasks) values (?, ?, ?)')
    for (const [i, tasks] of chunks.entries()) insert.run(stored?.no, i, tasks)
    return numbered
  })
}

export function findAnalysis(
  db: Database,
  evidenceNo: number,
  n: number,
): { readonly no: number; readonly analysis: EvidenceAnalysis } | null {
  const row = db.first(
    db.sql.selectFrom('release_analyses').select(['no', 'analysis']).where('evidence_no', '=', evidenceNo).where('n', '=', n),
  )
  return row ? { no: row.no, analysis: EvidenceAnalysis.parse(JSON.parse(row.analysis)) } : null
}

const EvidenceTasks = z.array(EvidenceTask)

/** Every task of an analysis, in the order of the file. */
export function* eachAnalysisTask(db: Database, analysisNo: number): Generator<EvidenceTask> {
  const chunks = db.all(db.sql.selectFrom('release_analysis_tasks').select('tasks').where('analysis_no', '=', analysisNo).orderBy('chunk'))
  for (const { tasks } of chunks) yield* EvidenceTasks.parse(JSON.parse(tasks))
}

/** A page of an analysis’s tasks in the order of the file. */
export function listAnalysisTasks(
  db: Database,
  { no, analysis }: NonNullable<ReturnType<typeof findAnalysis>>,
  { cursor, limit }: PageQuery,
) {
  const listing: Listing = { endpoint: 'listEvidenceTasks', filters: { evidence: analysis.evidence_id, n: analysis.n } }
  const from = cursor === undefined ? 0 : Number(decodeCursor(listing, cursor, 1)[0]) + 1
  const firstChunk = Math.floor(from / tasksPerChunk)
  const chunks = db.all(
    db.sql
      .selectFrom('release_analysis_tasks')
      .select('tasks')
      .where('analysis_no', '=', no)
      .where('chunk', '>=', firstChunk)
      .where('chunk', '<=', Math.floor((from + limit) / tasksPerChunk))
      .orderBy('chunk'),
  )
  const tasks = chunks.flatMap(chunk => EvidenceTasks.parse(JSON.parse(chunk.tasks)))
  const start = from - firstChunk * tasksPerChunk
  const rows = tasks.slice(start, start + limit + 1).map((task, i) => ({ task, place: from + i }))
  return toPage(
    rows,
    limit,
    listing,
    ({ place }) => [place],
    ({ task }) => task,
  )
}
