import type { Database } from '../database.ts'

/** What a part of a version takes in an archive at most. */
export interface Need {
  /** Media files. */
  readonly files: number
  /** Of media and rows. */
  readonly bytes: number
}

const slice = 1000
/** The same where contents are read, of up to a megabyte each. */
const readSlice = 50
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
  // Files that came after the example that names them lack a reference of the dataset; what follows each "sha256:" may be one.
  // The plus keeps the planner from an index by which each is looked for among all files of the dataset.
  `select e.no, count(m.digest) as files, coalesce(sum(m.bytes), 0) as bytes
     from (
       select v.example_no as no, r.content, d.dataset_no
       from dataset_version_examples v join dataset_versions d on d.no = v.version_no
       join dataset_revisions r on r.example_no = v.example_no and r.revision = v.revision
       where v.version_no = @version and v.example_no > @after order by v.example_no limit ${readSlice}
     ) e
     left join json_each(iif(instr(e.content, 'sha256:') > 0, '[' || replace(json_quote(e.content), 'sha256:', '","') || ']', null)) piece
     left join media m on m.digest = substr(piece.value, 1, 64)
       and not exists (select 1 from media_references f where f.digest = m.digest and +f.dataset_no = e.dataset_no)
     group by e.no`,
]

/** The media of a version's dataset, the version's rows and other media that they name, some at a time. */
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
