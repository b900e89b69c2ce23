import { sql } from 'kysely'
import { z } from 'zod'
import { type By, type Example, type ExampleOrigin, type LabelState, LabelValue, ReviewState } from '../../contract/index.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, toPage } from '../../storage/keyset.ts'
import type { DatasetRow } from './datasets.store.ts'
import { type ExampleContent, parseContent, searchedText, searchQuery, searchScope } from './example-content.ts'
import { type Consensus, findConsensus } from './find-consensus.ts'
import { labelsOf } from './labels.store.ts'

const OriginRef = z.record(z.string(), z.unknown()).nullable()

/** Characters of contents in one page. */
const pageCharacters = 8 * 1024 * 1024

export interface NewExampleRow {
  readonly id: string
  readonly datasetNo: number
  readonly importNo: number | null
  readonly sourceKey: string | null
  readonly content: ExampleContent
  readonly digest: Uint8Array
  readonly origin: ExampleOrigin
  readonly by: By
  readonly consensus: Consensus
}

/** Writes an example with its first revision. Hot: an import calls it a hundred thousand times. @returns its number */
export function insertExample(db: Database, row: NewExampleRow, now: string): number {
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
      row.digest,
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
  insertRevision(db, no, 1, row.content, row.digest, row.by, now)
  indexWords(db, no, row.datasetNo, row.content)
  return no
}

function insertRevision(db: Database, no: number, revision: number, content: ExampleContent, digest: Uint8Array, by: By, now: string) {
  db.prepare('insert into dataset_revisions (example_no, revision, content, digest, made_by, created_at) values (?, ?, ?, ?, ?, ?)').run(
    no,
    revision,
    JSON.stringify(content),
    digest,
    JSON.stringify(by),
    now,
  )
}

function indexWords(db: Database, no: number, datasetNo: number, content: ExampleContent): void {
  db.prepare('insert into dataset_search (rowid, scope, words) values (?, ?, ?)').run(no, searchScope(datasetNo), searchedText(content))
}

/** Makes a new revision the current one. The caller moves the review state. */
export function storeRevision(
  db: Database,
  datasetNo: number,
  example: ExampleRow,
  content: ExampleContent,
  digest: Uint8Array,
  by: By,
  now: string,
): void {
  const revision = example.currentRevision + 1
  db.prepare('update dataset_revisions set final_state = ? where example_no = ? and revision = ?').run(
    example.reviewState,
    example.no,
    example.currentRevision,
  )
  insertRevision(db, example.no, revision, content, digest, by, now)
  db.prepare(
    `update dataset_examples set revision = ?, digest = ?, label = null, label_state = 'none', label_by = null, updated_at = ? where no = ?`,
  ).run(revision, digest, now, example.no)
  db.prepare('delete from dataset_search where rowid = ?').run(example.no)
  indexWords(db, example.no, datasetNo, content)
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

export function findExampleBySource(db: Database, datasetNo: number, sourceKey: string): ExampleRow | null {
  return db.first(selectRows(db, datasetNo).where('source_key', '=', sourceKey)) ?? null
}

export function readContent(db: Database, exampleNo: number, revision: number): ExampleContent | null {
  const row = db.first(
    db.sql.selectFrom('dataset_revisions').select('content').where('example_no', '=', exampleNo).where('revision', '=', revision),
  )
  return row ? parseContent(row.content) : null
}

const selectExamples = (db: Database, datasetNo: number) =>
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

function toExample(dataset: DatasetRow, row: StoredExample, content: ExampleContent): Example {
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

export interface ExamplesQuery {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly q: string
  readonly review_state?: z.infer<typeof ReviewState> | undefined
  readonly origin?: ExampleOrigin['kind'] | undefined
  readonly label?: string | undefined
  readonly label_state?: LabelState | undefined
  readonly sort: 'added' | '-added'
}

export function listExamples(db: Database, dataset: DatasetRow, { cursor, limit, ...filters }: ExamplesQuery) {
  const listing: Listing = { endpoint: 'listExamples', filters: { dataset: dataset.id, ...filters } }
  const ascending = filters.sort === 'added'
  let select = selectExamples(db, dataset.no)
    .innerJoin('dataset_revisions as r', join => join.onRef('r.example_no', '=', 'e.no').onRef('r.revision', '=', 'e.revision'))
    .select(e => ['r.no as revision_no', e.fn<number>('length', ['r.content']).as('characters')])
    .orderBy('e.no', ascending ? 'asc' : 'desc')
    .limit(limit + 1)
  if (cursor) select = select.where('e.no', ascending ? '>' : '<', Number(decodeCursor(listing, cursor, 1)[0]))
  if (filters.review_state) select = select.where('e.review_state', '=', filters.review_state)
  if (filters.origin) select = select.where('e.origin_kind', '=', filters.origin)
  if (filters.label_state) select = select.where('e.label_state', '=', filters.label_state)
  if (filters.label !== undefined) select = select.where('e.label', '=', labelText(dataset, filters.label))
  if (filters.q) {
    const match = searchQuery(searchScope(dataset.no), filters.q)
    if (match === null) return { items: [], next_cursor: null }
    select = select.where(sql<boolean>`e.no in (select rowid from dataset_search where dataset_search match ${match})`)
  }
  const rows = db.all(select)
  let characters = 0
  const fitting = rows.findIndex((row, i) => (characters += row.characters) > pageCharacters && i > 0)
  const shown = fitting === -1 ? limit : Math.min(limit, fitting)
  const contents = contentsOf(
    db,
    rows.slice(0, shown).map(row => row.revision_no),
  )
  const labels = labelsOf(db, rows.slice(0, shown))
  return toPage(
    rows,
    shown,
    listing,
    row => [row.no],
    row => ({
      ...toExample(dataset, row, contents.get(row.revision_no) ?? missing(row.id)),
      labels: labels.get(row.no) ?? [],
    }),
  )
}

function contentsOf(db: Database, revisionNos: readonly number[]): Map<number, ExampleContent> {
  if (revisionNos.length === 0) return new Map()
  const rows = db.all(db.sql.selectFrom('dataset_revisions').select(['no', 'content']).where('no', 'in', revisionNos))
  return new Map(rows.map(row => [row.no, parseContent(row.content)]))
}

function missing(id: string): never {
  throw new Error(`The current revision of example ${id} is missing.`)
}

/** How a consensus is stored. */
function labelText({ menu }: DatasetRow, label: string): string {
  return JSON.stringify(menu === null && Number.isFinite(Number(label)) ? Number(label) : label)
}
