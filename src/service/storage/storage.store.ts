import { z } from 'zod'
import { StorageUse } from '../../contract/storage/storage.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { readSetting, writeSetting } from '../../storage/settings.ts'

const Figure = z.array(z.record(z.string(), z.int()))

/** Pages of the database that hold nothing. */
export function freePages(db: Database): number {
  return figure(db, 'freelist_count')
}

/** Bytes. */
export function pageSize(db: Database): number {
  return figure(db, 'page_size')
}

/** Gives up to a number of free pages back to the disk. */
export function returnPages(db: Database, pages: number): void {
  db.pragma(`incremental_vacuum(${pages})`)
}

/** Moves what the write-ahead log holds into the database, as far as concurrent readers allow. */
export function checkpoint(db: Database): void {
  db.pragma('wal_checkpoint(PASSIVE)')
}

function figure(db: Database, pragma: string): number {
  return Object.values(Figure.parse(db.pragma(pragma))[0] ?? {})[0] ?? 0
}

const Stored = z.object({ runs: z.int(), samples: z.int(), rows_to_delete: z.int() })

/** Runs and samples of all workspaces; parts count with the run that they belong to. */
export function countStored(db: Database): z.infer<typeof Stored> {
  const row = db
    .prepare(
      `select (select count(*) from runs where deleted_at is null and part_of is null) as runs,
       coalesce(sum(case when r.deleted_at is null then c.n end), 0) as samples,
       coalesce(sum(case when r.deleted_at is not null then c.n end), 0) as rows_to_delete
       from runs r join run_counts c on c.run_no = r.no`,
    )
    .get()
  return Stored.parse(row)
}

type Examination = NonNullable<StorageUse['examination']>

export function readExamination(db: Database): Examination | null {
  return StorageUse.shape.examination.parse(readSetting(db, 'examination') ?? null)
}

export function writeExamination(db: Database, examination: Examination): void {
  writeSetting(db, 'examination', examination)
}
