import { type DatasetVersion, VersionAnnotators, VersionFilter } from '../../contract/datasets/dataset-versions.schemas.ts'
import { By } from '../../contract/datasets/examples.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import type { DatasetRow } from './datasets.store.ts'

export interface VersionRow {
  readonly no: number
  readonly datasetNo: number
  readonly datasetId: string
  readonly version: Omit<DatasetVersion, 'dataset_id' | 'task' | 'labels' | 'score_range'>
}

const select = (db: Database) =>
  db.sql
    .selectFrom('dataset_versions as v')
    .innerJoin('datasets as d', 'd.no', 'v.dataset_no')
    .selectAll('v')
    .select('d.id as dataset_id')
    .where('v.sealed', '=', 1)
    .where('d.deleting', '=', 0)

type Row = NonNullable<ReturnType<typeof firstRow>>
const firstRow = (db: Database) => db.first(select(db))

function toRow(row: Row): VersionRow {
  return {
    no: row.no,
    datasetNo: row.dataset_no,
    datasetId: row.dataset_id,
    version: {
      id: row.id,
      version: row.version,
      name: row.name,
      filter: VersionFilter.parse(JSON.parse(row.filter)),
      digest: row.digest,
      example_count: row.example_count,
      labeled_count: row.labeled_count,
      labeled_by_people_count: row.labeled_by_people_count,
      annotators: row.annotators === null ? null : VersionAnnotators.parse(JSON.parse(row.annotators)),
      created_by: By.parse(JSON.parse(row.made_by)),
      created_at: row.created_at,
    },
  }
}

/** A version of any dataset of the workspace. */
export function findVersion(db: Database, workspaceId: string, id: string): VersionRow | null {
  const row = db.first(select(db).where('v.id', '=', id.toLowerCase()).where('d.workspace_id', '=', workspaceId))
  return row ? toRow(row) : null
}

/** The version that came before it; null for the first. */
export function previousVersion(db: Database, { datasetNo, version: { version } }: VersionRow): VersionRow | null {
  const row = db.first(
    select(db).where('v.dataset_no', '=', datasetNo).where('v.version', '<', version).orderBy('v.version', 'desc').limit(1),
  )
  return row ? toRow(row) : null
}

export function listVersions(db: Database, dataset: DatasetRow, { cursor, limit }: PageQuery) {
  const listing: Listing = { endpoint: 'listDatasetVersions', filters: { dataset: dataset.id } }
  let rows = select(db)
    .where('v.dataset_no', '=', dataset.no)
    .orderBy('v.version', 'desc')
    .limit(limit + 1)
  if (cursor) rows = rows.where('v.version', '<', Number(decodeCursor(listing, cursor, 1)[0]))
  return toPage(
    db.all(rows),
    limit,
    listing,
    row => [row.version],
    row => describeVersion(dataset, toRow(row)),
  )
}

export function describeVersion({ id, task, menu, scoreRange }: DatasetRow, { version }: VersionRow): DatasetVersion {
  return {
    ...version,
    dataset_id: id,
    task,
    labels: menu === null ? null : [...menu],
    score_range: scoreRange === null ? null : [...scoreRange],
  }
}

/** An approved example as it is to be frozen. */
export interface ApprovedRow {
  readonly no: number
  readonly revision: number
  readonly digest: Uint8Array
  readonly label: string | null
  readonly label_state: 'none' | 'unanimous' | 'majority' | 'tie'
  readonly label_by: 'person' | 'key' | null
}

/** Examples that fit a filter of versions. */
function filtered(db: Database, datasetNo: number, { label, origin }: VersionFilter) {
  let rows = db.sql.selectFrom('dataset_examples').where('dataset_no', '=', datasetNo).where('import_no', 'is', null)
  if (label !== undefined) rows = rows.where('label', '=', JSON.stringify(label))
  if (origin !== undefined) rows = rows.where('origin_kind', '=', origin)
  return rows
}

/** The next approved examples, in order. */
export function approvedExamples(db: Database, datasetNo: number, filter: VersionFilter, after: number, limit: number): ApprovedRow[] {
  return db.all(
    filtered(db, datasetNo, filter)
      .select(['no', 'revision', 'digest', 'label', 'label_state', 'label_by'])
      .where('review_state', '=', 'approved')
      .where('no', '>', after)
      .orderBy('no')
      .limit(limit),
  )
}

/** Examples that a version leaves out or holds without a label, because their annotators tie. */
export function countTied(db: Database, datasetNo: number, filter: VersionFilter): number {
  const tied = filtered(db, datasetNo, filter).where('label_state', '=', 'tie').where('review_state', '!=', 'rejected')
  return db.first(tied.select(eb => eb.fn.countAll<number>().as('examples')))?.examples ?? 0
}

/** A version without examples yet, which is hidden until it is sealed. */
export function beginVersion(db: Database, id: string, datasetNo: number, filter: VersionFilter, by: By, now: string): number {
  const next = db.prepare('select coalesce(max(version), 0) + 1 as version from dataset_versions where dataset_no = ?').get(datasetNo) as {
    version: number
  } // an aggregate always has one row
  return db.run(
    db.sql.insertInto('dataset_versions').values({
      id,
      dataset_no: datasetNo,
      version: next.version,
      name: '',
      filter: JSON.stringify(filter),
      digest: '',
      example_count: 0,
      labeled_count: 0,
      labeled_by_people_count: 0,
      made_by: JSON.stringify(by),
      annotators: null,
      sealed: 0,
      created_at: now,
    }),
  ).lastInsertRowid
}

export function freezeExamples(db: Database, versionNo: number, rows: readonly ApprovedRow[]): void {
  const insert = db.prepare(
    'insert into dataset_version_examples (version_no, example_no, revision, digest, label, label_state, label_by) values (?, ?, ?, ?, ?, ?, ?)',
  )
  for (const row of rows) insert.run(versionNo, row.no, row.revision, row.digest, row.label, row.label_state, row.label_by)
}

export interface FrozenCounts {
  readonly examples: number
  readonly labeled: number
  readonly labeledByPeople: number
  readonly annotators: VersionAnnotators
}

export function sealVersion(db: Database, versionNo: number, name: string | undefined, digest: string, counts: FrozenCounts): void {
  db.prepare(
    `update dataset_versions set name = coalesce(?, 'Version ' || version), digest = ?, example_count = ?, labeled_count = ?,
     labeled_by_people_count = ?, annotators = ?, sealed = 1 where no = ?`,
  ).run(name ?? null, digest, counts.examples, counts.labeled, counts.labeledByPeople, JSON.stringify(counts.annotators), versionNo)
}

/** Removes a version that was not sealed. */
export function dropVersion(db: Database, versionNo: number): void {
  db.transaction(() => {
    db.prepare('delete from dataset_version_examples where version_no = ?').run(versionNo)
    db.prepare('delete from dataset_versions where no = ?').run(versionNo)
  })
}

export function unsealedVersions(db: Database): number[] {
  return db.all(db.sql.selectFrom('dataset_versions').select('no').where('sealed', '=', 0)).map(({ no }) => no)
}
