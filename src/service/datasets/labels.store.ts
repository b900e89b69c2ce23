import { type ExampleLabel, type LabelMaker, LabelValue } from '../../contract/datasets/examples.schemas.ts'
import type { Database } from '../../storage/database.ts'

export interface NewLabelRow {
  readonly annotator: string
  readonly maker: LabelMaker
  readonly makerId: string
  readonly value: LabelValue
  readonly note: string | null
}

/** An annotator has one label for each revision: a later one replaces it. */
export function storeLabel(db: Database, exampleNo: number, revision: number, label: NewLabelRow, now: string): void {
  db.prepare(
    `insert into dataset_labels (example_no, revision, annotator, maker, maker_id, value, note, at) values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict do update set maker_id = excluded.maker_id, value = excluded.value, note = excluded.note, at = excluded.at`,
  ).run(exampleNo, revision, label.annotator, label.maker, label.makerId, JSON.stringify(label.value), label.note, now)
}

export function removeLabel(db: Database, exampleNo: number, revision: number, annotator: string, maker: LabelMaker): boolean {
  return (
    db.run(
      db.sql
        .deleteFrom('dataset_labels')
        .where('example_no', '=', exampleNo)
        .where('revision', '=', revision)
        .where('annotator', '=', annotator)
        .where('maker', '=', maker),
    ).changes > 0
  )
}

/** The labels of each example's revision, by the example's number, in the order made. */
export function labelsOf(
  db: Database,
  examples: readonly { readonly no: number; readonly revision: number }[],
): Map<number, ExampleLabel[]> {
  const found = new Map<number, ExampleLabel[]>(examples.map(({ no }) => [no, []]))
  if (examples.length === 0) return found
  const revisionOf = new Map(examples.map(({ no, revision }) => [no, revision]))
  const rows = db.all(
    db.sql
      .selectFrom('dataset_labels')
      .selectAll()
      .where('example_no', 'in', [...revisionOf.keys()])
      .orderBy('no'),
  )
  for (const row of rows) {
    if (row.revision !== revisionOf.get(row.example_no)) continue
    const value = LabelValue.parse(JSON.parse(row.value))
    found.get(row.example_no)?.push({ annotator: row.annotator, value, note: row.note, at: row.at, by: row.maker })
  }
  return found
}
