import { z } from 'zod'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import { exampleContent, ExampleOrigin, LabelValue } from '../../contract/datasets/examples.schemas.ts'
import type { Database } from '../database.ts'

const Content = z.strictObject(exampleContent)
const Ref = ExampleOrigin.shape.ref

/** A frozen example with its place in the version's order. */
export interface FrozenRow {
  readonly no: number
  readonly example: FrozenExample
}

const select = (db: Database, versionNo: number) =>
  db.sql
    .selectFrom('dataset_version_examples as v')
    .innerJoin('dataset_examples as e', 'e.no', 'v.example_no')
    .innerJoin('dataset_revisions as r', join => join.onRef('r.example_no', '=', 'v.example_no').onRef('r.revision', '=', 'v.revision'))
    .select(['v.example_no as no', 'e.id', 'v.revision', 'v.digest', 'v.label', 'v.label_state', 'v.label_by', 'r.content'])
    .select(['e.origin_kind', 'e.origin_ref'])
    .where('v.version_no', '=', versionNo)

type Row = NonNullable<ReturnType<typeof firstRow>>
const firstRow = (db: Database) => db.first(select(db, 0))

function toFrozen(row: Row): FrozenRow {
  return {
    no: row.no,
    example: {
      example_id: row.id,
      revision: row.revision,
      digest: Buffer.from(row.digest).toString('hex'),
      ...Content.parse(JSON.parse(row.content)),
      label: row.label === null ? null : LabelValue.parse(JSON.parse(row.label)),
      label_state: row.label_state,
      label_by: row.label_by,
      origin: { kind: row.origin_kind, ref: row.origin_ref === null ? null : Ref.parse(JSON.parse(row.origin_ref)) },
    },
  }
}

/** The next examples of a version in its order. @param after the last one's `no`, 0 to begin */
export function frozenExamples(db: Database, versionNo: number, after: number, limit: number): FrozenRow[] {
  return db.all(select(db, versionNo).where('v.example_no', '>', after).orderBy('v.example_no').limit(limit)).map(toFrozen)
}

export function frozenExample(db: Database, versionNo: number, exampleId: string): FrozenExample | null {
  const row = db.first(select(db, versionNo).where('e.id', '=', exampleId.toLowerCase()))
  return row ? toFrozen(row).example : null
}

/** Those of the numbered examples that a version holds. */
export function frozenExamplesOf(db: Database, versionNo: number, numbers: readonly number[]): Map<number, FrozenExample> {
  if (numbers.length === 0) return new Map()
  const rows = db.all(select(db, versionNo).where('v.example_no', 'in', numbers)).map(toFrozen)
  return new Map(rows.map(({ no, example }) => [no, example]))
}

/** All examples of a version, some at a time, so that a reader need not hold them all. */
export function* eachFrozenExample(db: Database, versionNo: number, batch = 500): Generator<FrozenExample[]> {
  for (let after = 0; ; ) {
    const rows = frozenExamples(db, versionNo, after, batch)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(({ example }) => example)
    after = last.no
  }
}
