import { DatasetScan } from '../../contract/datasets/dataset-imports.schemas.ts'
import { datasetScanMachine } from '../../contract/datasets/dataset-scan.machine.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { transition } from '../../storage/transition.ts'

const Stored = DatasetScan.omit({ status: true, job_id: true })
export type ScanFacts = Omit<DatasetScan, 'status' | 'job_id'>

const column = { table: 'dataset_scans', column: 'status' } as const

export function insertScan(db: Database, workspaceId: string, datasetNo: number, facts: ScanFacts): void {
  db.run(
    db.sql.insertInto('dataset_scans').values({
      id: facts.id,
      workspace_id: workspaceId,
      dataset_no: datasetNo,
      status: datasetScanMachine.initial,
      job_id: null,
      record: JSON.stringify(facts),
      created_at: facts.created_at,
    }),
  )
}

export function setScanJob(db: Database, id: string, jobId: string): void {
  db.run(db.sql.updateTable('dataset_scans').set({ job_id: jobId }).where('id', '=', id))
}

const select = (db: Database, datasetNo: number) =>
  db.sql.selectFrom('dataset_scans').select(['no', 'status', 'job_id', 'record']).where('dataset_no', '=', datasetNo)

type Row = NonNullable<ReturnType<typeof firstRow>>
const firstRow = (db: Database) => db.first(select(db, 0))

function toScan({ status, job_id, record }: Row): DatasetScan {
  return { ...Stored.parse(JSON.parse(record)), status, job_id }
}

export function findScan(db: Database, datasetNo: number, id: string): DatasetScan | null {
  const row = db.first(select(db, datasetNo).where('id', '=', id.toLowerCase()))
  return row ? toScan(row) : null
}

export function listScans(db: Database, datasetNo: number, { cursor, limit }: PageQuery) {
  const rows = select(db, datasetNo)
  return newestFirst(db, rows, 'no', { endpoint: 'listDatasetScans', filters: { datasetNo } }, { cursor, limit }, toScan)
}

/** Moves a scan on and keeps what it found, in one transaction. */
export function moveScan(db: Database, event: keyof typeof datasetScanMachine.events, facts: ScanFacts, now: string): void {
  db.transaction(() => {
    db.run(
      db.sql
        .updateTable('dataset_scans')
        .set({ record: JSON.stringify(facts) })
        .where('id', '=', facts.id),
    )
    transition(db, datasetScanMachine, column, facts.id, event, now)
  })
}
