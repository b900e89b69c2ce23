import { sql } from 'kysely'
import { datasetImportMachine } from '../../contract/datasets/dataset-import.machine.ts'
import { DatasetImport, DatasetImportSummary } from '../../contract/datasets/dataset-imports.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { transition } from '../../storage/transition.ts'

const Stored = DatasetImport.omit({ status: true, job_id: true })
export type DatasetImportFacts = Omit<DatasetImport, 'status' | 'job_id'>

const column = { table: 'dataset_imports', column: 'status' } as const

export interface ImportRow {
  readonly no: number
  readonly datasetNo: number
  readonly workspaceId: string
  readonly status: DatasetImport['status']
  readonly jobId: string | null
  readonly facts: DatasetImportFacts
}

export function insertDatasetImport(db: Database, workspaceId: string, datasetNo: number, facts: DatasetImportFacts): void {
  db.run(
    db.sql.insertInto('dataset_imports').values({
      id: facts.id,
      workspace_id: workspaceId,
      dataset_no: datasetNo,
      status: datasetImportMachine.initial,
      job_id: null,
      record: JSON.stringify(facts),
      created_at: facts.created_at,
    }),
  )
}

export function setImportJob(db: Database, id: string, jobId: string): void {
  db.run(db.sql.updateTable('dataset_imports').set({ job_id: jobId }).where('id', '=', id))
}

export function findImportRow(db: Database, id: string): ImportRow | null {
  const row = db.first(db.sql.selectFrom('dataset_imports').selectAll().where('id', '=', id.toLowerCase()))
  return row
    ? {
        no: row.no,
        datasetNo: row.dataset_no,
        workspaceId: row.workspace_id,
        status: row.status,
        jobId: row.job_id,
        facts: Stored.parse(JSON.parse(row.record)),
      }
    : null
}

export function describeImport({ status, jobId, facts }: ImportRow): DatasetImport {
  return { ...facts, status, job_id: jobId }
}

const Listed = DatasetImportSummary.omit({ status: true, job_id: true }).strip()

export interface ImportsQuery {
  readonly dry_run?: boolean | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

/** Newest first. */
export function listImports(db: Database, datasetNo: number, { dry_run: dryRun, cursor, limit }: ImportsQuery) {
  let rows = db.sql.selectFrom('dataset_imports').select(['no', 'status', 'job_id', 'record']).where('dataset_no', '=', datasetNo)
  if (dryRun !== undefined) rows = rows.where(sql<number>`json_extract(record, '$.dry_run')`, '=', dryRun ? 1 : 0)
  return newestFirst(
    db,
    rows,
    'no',
    { endpoint: 'listDatasetImports', filters: { datasetNo, dryRun } },
    { cursor, limit },
    ({ status, job_id, record }): DatasetImportSummary => ({ ...Listed.parse(JSON.parse(record)), status, job_id }),
  )
}

/** Moves an import on and keeps what is known of it, in one transaction. */
export function moveImport(db: Database, event: keyof typeof datasetImportMachine.events, facts: DatasetImportFacts, now: string): void {
  db.transaction(() => {
    db.run(
      db.sql
        .updateTable('dataset_imports')
        .set({ record: JSON.stringify(facts) })
        .where('id', '=', facts.id),
    )
    transition(db, datasetImportMachine, column, facts.id, event, now)
  })
}

/** Contents of the next hidden examples of an import after one, as JSON. */
export function hiddenContents(
  db: Database,
  importNo: number,
  after: number,
  most: number,
): { readonly no: number; readonly json: string }[] {
  return db.all(
    db.sql
      .selectFrom('dataset_examples as x')
      .innerJoin('dataset_revisions as r', 'r.example_no', 'x.no')
      .select(['x.no', 'r.content as json'])
      .where('x.import_no', '=', importNo)
      .where('x.no', '>', after)
      .orderBy('x.no')
      .limit(most),
  )
}

/** Makes the next hidden examples of an import visible. @returns how many */
export function landExamples(db: Database, importNo: number, most: number): number {
  const { changes } = db
    .prepare(
      'update dataset_examples set import_no = null where no in (select no from dataset_examples where import_no = ? order by no limit ?)',
    )
    .run(importNo, most)
  return changes
}

/** Removes the next hidden examples of an import that ended without a result. @returns how many */
export function dropHiddenExamples(db: Database, importNo: number, most: number): number {
  return db.transaction(() => {
    const hidden = 'select no from dataset_examples where import_no = ? order by no limit ?'
    db.prepare(`delete from dataset_search where rowid in (${hidden})`).run(importNo, most)
    db.prepare(`delete from dataset_labels where example_no in (${hidden})`).run(importNo, most)
    db.prepare(`delete from dataset_revisions where example_no in (${hidden})`).run(importNo, most)
    return db.prepare(`delete from dataset_examples where no in (${hidden})`).run(importNo, most).changes
  })
}

/** Imports that failed and have left hidden examples. */
export function leftoverImports(db: Database): number[] {
  return db
    .all(
      db.sql
        .selectFrom('dataset_imports as i')
        .select('i.no')
        .where('i.status', '=', 'failed')
        .where(e => e.exists(e.selectFrom('dataset_examples as x').select('x.no').whereRef('x.import_no', '=', 'i.no'))),
    )
    .map(({ no }) => no)
}

/** Imports whose file is still needed. */
export function openImports(db: Database): string[] {
  return db
    .all(db.sql.selectFrom('dataset_imports').select('id').where('status', 'in', ['validating', 'writing', 'landing']))
    .map(({ id }) => id)
}
