import type { Database } from '../database.ts'

/** What a part of a version takes in an archive at most. */
export interface Need {
  /** Media files. */
  readonly files: number
  /** Of media and rows. */
  readonly bytes: number
}

const slice = 1000
/** Of a row: its ids, digest and names of fields. */
const rowBytes = 1000

const statements = [
  `select r.no, 1 as files, m.bytes from dataset_versions v join media_references r on r.dataset_no = v.dataset_no
     join media m on m.digest = r.digest where v.no = @version and r.no > @after order by r.no limit ${slice}`,
  `select v.example_no as no, 0 as files,
     ${rowBytes} + octet_length(r.content) + coalesce(octet_length(v.label), 0) + coalesce(octet_length(e.origin_ref), 0) as bytes
     from dataset_version_examples v join dataset_examples e on e.no = v.example_no
     join dataset_revisions r on r.example_no = v.example_no and r.revision = v.revision
     where v.version_no = @version and v.example_no > @after order by v.example_no limit ${slice}`,
]

/** The media of a version's dataset and the version's rows, some at a time. Nothing is parsed. */
export function* versionNeeds(db: Database, versionNo: number): Generator<Need> {
  for (const statement of statements) {
    const sum = db.prepare(`select max(no) as last, sum(files) as files, sum(bytes) as bytes from (${statement})`)
    for (let after = 0; ; ) {
      const { last, ...need } = sum.get({ version: versionNo, after }) as Need & { readonly last: number | null } // its columns
      if (last === null) break
      yield need
      after = last
    }
  }
}
