import { z } from 'zod'
import type { DatasetTask } from '../../contract/datasets/datasets.schemas.ts'
import { type By, type Example, type ExampleOrigin, LabelValue, ReviewState } from '../../contract/datasets/examples.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { DatasetRow } from './datasets.store.ts'
import { type ExampleContent, parseContent, type PreparedContent, searchScope } from '../../engine/content/datasets/example-content.ts'
import { type Consensus, findConsensus } from './find-consensus.ts'
import { labelsOf, type NewLabelRow, storeLabel } from './labels.store.ts'

const OriginRef = z.record(z.string(), z.unknown()).nullable()

export interface NewExampleRow {
  readonly id: string
  readonly datasetNo: number
  readonly importNo: number | null
  readonly sourceKey: string | null
  readonly content: PreparedContent
  readonly origin: ExampleOrigin
  readonly by: By
  readonly consensus: Consensus
}

/** What is written and not yet in the search index. */
export interface Unindexed {
  readonly no: number
  readonly words: string
  /** Whether the index holds the words of an earlier revision. */
  readonly isRevision: boolean
}

/** Writes an example with its labels and their consensus; `indexExamples` comes after all of them. */
export function insertLabeledExample(
  db: Database,
  task: DatasetTask,
  row: Omit<NewExampleRow, 'consensus'>,
  labels: readonly NewLabelRow[],
  now: string,
): Unindexed {
  const consensus = findConsensus(
    task,
    labels.map(({ value, maker }) => ({ value, by: maker })),
  )
  const no = insertExample(db, { ...row, consensus }, now)
  for (const label of labels) storeLabel(db, no, 1, label, now)
  return { no, words: row.content.words, isRevision: false }
}

/** Writes an example with its first revision. Hot: an import calls it a hundred thousand times. @returns its number */
function insertExample(db: Database, row: NewExampleRow, now: string): number {
  const { consensus, origin } = row
  const { lastInsertRowid } = db
    .prepare(
      `insert into dataset_examples (id, dataset_no, import_no, revision, digest, source_key, origin_kind, origin_ref, review_state,
       label, label_state, label_by, created_at, updated_at) values (?, ?, ?, 1, ?, ?, ?, ?, 'draft', ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.datasetNo,
      row.importNo,
      row.content.digest,
      row.sourceKey,
      origin.kind,
      origin.ref === null ? null : JSON.stringify(origin.ref),
      consensus.label === null ? null : JSON.stringify(consensus.label),
      consensus.state,
      consensus.by,
      now,
      now,
    )
  const no = Number(lastInsertRowid)
  insertRevision(db, no, 1, row.content, row.by, now)
  return no
}

function insertRevision(db: Database, no: number, revision: number, content: PreparedContent, by: By, now: string): void {
  db.prepare('insert into dataset_revisions (example_no, revision, content, digest, made_by, created_at) values (?, ?, ?, ?, ?, ?)').run(
    no,
    revision,
    content.json,
    content.digest,
    JSON.stringify(by),
    now,
  )
}

/**
 * Puts examples into the search index, last in their transaction: a statement with triggers that follows makes FTS5 write out what it
 * has gathered, which per example costs five times what everything else does.
 */
export function indexExamples(db: Database, datasetNo: number, examples: readonly Unindexed[]): void {
  for (const { no, isRevision } of examples) if (isRevision) db.prepare('delete from dataset_search where rowid = ?').run(no)
  const insert = db.prepare('insert into dataset_search (rowid, scope, words) values (?, ?, ?)')
  for (const { no, words } of examples) insert.run(no, searchScope(datasetNo), words)
}

/** Makes a new revision the current one. The caller moves the review state and calls `indexExamples`. */
export function storeRevision(db: Database, example: ExampleRow, content: PreparedContent, by: By, now: string): Unindexed {
  const revision = example.currentRevision + 1
  db.prepare('update dataset_revisions set final_state = ? where example_no = ? and revision = ?').run(
    example.reviewState,
    example.no,
    example.currentRevision,
  )
  insertRevision(db, example.no, revision, content, by, now)
  db.prepare(
    `update dataset_examples set revision = ?, digest = ?, label = null, label_state = 'none', label_by = null, updated_at = ? where no = ?`,
  ).run(revision, content.digest, now, example.no)
  return { no: example.no, words: content.words, isRevision: true }
}

export function storeConsensus(db: Database, exampleNo: number, { label, state, by }: Consensus, now: string): void {
  db.prepare('update dataset_examples set label = ?, label_state = ?, label_by = ?, updated_at = ? where no = ?').run(
    label === null ? null : JSON.stringify(label),
    state,
    by,
    now,
    exampleNo,
  )
}

export function touchExample(db: Database, exampleNo: number, now: string): void {
  db.prepare('update dataset_examples set updated_at = ? where no = ?').run(now, exampleNo)
}

interface SameRow {
  readonly id: string
}

/** An example with the same content, among those that are visible and those that the import itself has written. */
export function findSame(db: Database, datasetNo: number, digest: Uint8Array, importNo: number | null): string | null {
  const row = db
    .prepare(
      'select id from dataset_examples where dataset_no = ? and digest = ? and (import_no is null or import_no = ?) order by no limit 1',
    )
    .get(datasetNo, digest, importNo) as SameRow | undefined // the column asked for, of a strict table
  return row?.id ?? null
}

/** What operations on one example need to know of it. */
export interface ExampleRow {
  readonly no: number
  readonly id: string
  readonly currentRevision: number
  readonly digest: Uint8Array
  readonly reviewState: z.infer<typeof ReviewState>
}

const selectRows = (db: Database, datasetNo: number) =>
  db.sql
    .selectFrom('dataset_examples')
    .select(['no', 'id', 'revision as currentRevision', 'digest', 'review_state as reviewState'])
    .where('dataset_no', '=', datasetNo)
    .where('import_no', 'is', null)

export function findExampleRow(db: Database, datasetNo: number, id: string): ExampleRow | null {
  return db.first(selectRows(db, datasetNo).where('id', '=', id.toLowerCase())) ?? null
}

/** The numbers of a dataset's examples, by their ids. */
export function exampleNumbers(db: Database, datasetNo: number, ids: readonly string[]): Map<string, number> {
  if (ids.length === 0) return new Map()
  const rows = db.all(db.sql.selectFrom('dataset_examples').select(['id', 'no']).where('dataset_no', '=', datasetNo).where('id', 'in', ids))
  return new Map(rows.map(({ id, no }) => [id, no]))
}

export function findExampleBySource(db: Database, datasetNo: number, sourceKey: string): ExampleRow | null {
  return db.first(selectRows(db, datasetNo).where('source_key', '=', sourceKey)) ?? null
}

export function readContent(db: Database, exampleNo: number, revision: number): ExampleContent | null {
  const row = db.first(
    db.sql.selectFrom('dataset_revisions').select('content').where('example_no', '=', exampleNo).where('revision', '=', revision),
  )
  return row ? parseContent(row.content) : null
}

/** Visible examples of a dataset, without their contents. */
export const selectExamples = (db: Database, datasetNo: number) =>
  db.sql
    .selectFrom('dataset_examples as e')
    .select(['e.no', 'e.id', 'e.revision', 'e.label', 'e.label_state', 'e.label_by', 'e.origin_kind', 'e.origin_ref'])
    .select(['e.review_state', 'e.created_at', 'e.updated_at'])
    .where('e.dataset_no', '=', datasetNo)
    .where('e.import_no', 'is', null)

type StoredExample = NonNullable<ReturnType<typeof findStored>>
const findStored = (db: Database, datasetNo: number, id: string) =>
  db.first(selectExamples(db, datasetNo).where('e.id', '=', id.toLowerCase()))

/** An example as the contract shows it. @param revision the current one when absent */
export function readExample(db: Database, dataset: DatasetRow, id: string, revision?: number): Example | null {
  const row = findStored(db, dataset.no, id)
  if (!row) return null
  const shown = db.first(
    db.sql
      .selectFrom('dataset_revisions')
      .select(['content', 'final_state', 'revision'])
      .where('example_no', '=', row.no)
      .where('revision', '=', revision ?? row.revision),
  )
  if (!shown) return null
  const example = toExample(dataset, row, parseContent(shown.content))
  const labels = labelsOf(db, [{ no: row.no, revision: shown.revision }]).get(row.no) ?? []
  if (shown.revision === row.revision) return { ...example, labels }
  const { label, state, by } = findConsensus(dataset.task, labels)
  return {
    ...example,
    revision: shown.revision,
    labels,
    label,
    label_state: state,
    label_by: by,
    review_state: ReviewState.catch('draft').parse(shown.final_state),
  }
}

/** With the content of its current revision, and without labels. */
export function toExample(dataset: DatasetRow, row: StoredExample, content: ExampleContent): Example {
  return {
    id: row.id,
    dataset_id: dataset.id,
    revision: row.revision,
    current_revision: row.revision,
    ...content,
    label: row.label === null ? null : LabelValue.parse(JSON.parse(row.label)),
    label_state: row.label_state,
    label_by: row.label_by,
    labels: [],
    origin: { kind: row.origin_kind, ref: row.origin_ref === null ? null : OriginRef.parse(JSON.parse(row.origin_ref)) },
    review_state: row.review_state,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
