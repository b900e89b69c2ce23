import type { Database } from '../database.ts'

export interface ExactQuestion {
  readonly datasetNo: number
  readonly text: string
  /** Of the search index, which an example must match or be too long for it; null where the text has no whole word. */
  readonly match: string | null
  /** Characters of an example that the index has. */
  readonly indexed: number
}

/** Numbers of the examples of which a text or number contains an exact text, ascending. May read every example. */
export function exactExamples(db: Database, { datasetNo, text, match, indexed }: ExactQuestion): number[] {
  const mayContain =
    match === null
      ? '1'
      : '(e.no in (select rowid from dataset_search where dataset_search match @match) or octet_length(r.content) > @indexed)'
  return db
    .prepare(
      `select e.no from dataset_examples e join dataset_revisions r on r.example_no = e.no and r.revision = e.revision
       where e.dataset_no = @datasetNo and e.import_no is null and ${mayContain} and instr(r.content, @written)
         and exists (select 1 from json_tree(r.content) where type in ('text', 'integer', 'real') and instr(atom, @text))
       order by e.no`,
    )
    .pluck()
    .all({ datasetNo, text, written: JSON.stringify(text).slice(1, -1), ...(match !== null && { match, indexed }) })
    .map(Number)
}
