import { z } from 'zod'
import { type Dataset, type DatasetPatch, fixedLabels, type NewDataset } from '../../contract/datasets/datasets.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { isFiled, type Filing } from '../../storage/reads/filed-items.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { matchesWords } from '../../storage/matching-words.ts'
import { nextNumber } from '../../storage/row-numbers.ts'
import type { DatasetRules } from '../../engine/content/datasets/check-example.ts'

const Menu = z.array(z.string())

/** A dataset as its operations need it. */
export interface DatasetRow extends DatasetRules {
  readonly no: number
  readonly workspaceId: string
  readonly id: string
  readonly name: string
  readonly description: string
  readonly archived: boolean
  readonly labelChanges: number
  readonly createdAt: string
  readonly updatedAt: string
}

export function insertDataset(db: Database, workspaceId: string, id: string, dataset: NewDataset, now: string): void {
  const { name, description, task, score_range } = dataset
  const menu = task === 'answer' || task === 'pairwise' ? fixedLabels[task] : (dataset.labels ?? null)
  db.run(
    db.sql.insertInto('datasets').values({
      no: nextNumber(db, 'datasets'),
      id,
      workspace_id: workspaceId,
      name,
      description,
      task,
      menu: menu === null ? null : JSON.stringify(menu),
      score_low: score_range?.[0] ?? null,
      score_high: score_range?.[1] ?? null,
      search: searchOf(name, description),
      created_at: now,
      updated_at: now,
    }),
  )
}

export function updateDataset(db: Database, row: DatasetRow, patch: DatasetPatch, now: string): void {
  const name = patch.name ?? row.name
  const description = patch.description ?? row.description
  db.run(
    db.sql
      .updateTable('datasets')
      .set({ name, description, archived: (patch.archived ?? row.archived) ? 1 : 0, search: searchOf(name, description), updated_at: now })
      .where('no', '=', row.no),
  )
}

function searchOf(name: string, description: string): string {
  return `${name} ${description}`.toLowerCase()
}

export function touchDataset(db: Database, no: number, now: string, labelsChanged: boolean): void {
  db.prepare('update datasets set updated_at = ?, label_changes = label_changes + ? where no = ?').run(now, labelsChanged ? 1 : 0, no)
}

const selectDatasets = (db: Database) => db.sql.selectFrom('datasets').selectAll().where('deleting', '=', 0)

type StoredDataset = NonNullable<ReturnType<typeof firstDataset>>
const firstDataset = (db: Database) => db.first(selectDatasets(db))

export function findDataset(db: Database, workspaceId: string, id: string): DatasetRow | null {
  const row = db.first(selectDatasets(db).where('id', '=', id.toLowerCase()).where('workspace_id', '=', workspaceId))
  return row ? toRow(row) : null
}

function toRow(row: StoredDataset): DatasetRow {
  const { score_low: low, score_high: high } = row
  return {
    no: row.no,
    workspaceId: row.workspace_id,
    id: row.id,
    name: row.name,
    description: row.description,
    task: row.task,
    menu: row.menu === null ? null : Menu.parse(JSON.parse(row.menu)),
    scoreRange: low === null || high === null ? null : [low, high],
    archived: row.archived === 1,
    labelChanges: row.label_changes,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export interface DatasetsQuery extends Pick<Filing, 'folder'> {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly q: string
  readonly archived: boolean
}

export function listDatasets(db: Database, workspaceId: string, { cursor, limit, q, archived, folder }: DatasetsQuery) {
  let select = selectDatasets(db)
    .where('workspace_id', '=', workspaceId)
    .where('archived', '=', archived ? 1 : 0)
    .where(isFiled('dataset', 'datasets.id', workspaceId, { folder }))
  if (q) select = select.where(matchesWords('search', q))
  return newestFirst(
    db,
    select,
    'id',
    { endpoint: 'listDatasets', filters: { workspaceId, q, archived, folder } },
    { cursor, limit },
    toRow,
  )
}

/** How many visible examples have a value. */
export function countOf(db: Database, datasetNo: number, facet: 'review' | 'label_state' | 'label' | 'origin', value: string): number {
  const row = db.first(
    db.sql
      .selectFrom('dataset_facets')
      .select('examples')
      .where('dataset_no', '=', datasetNo)
      .where('facet', '=', facet)
      .where('value', '=', value),
  )
  return row?.examples ?? 0
}

/** What triggers count, and the newest version. */
export function readCounts(db: Database, row: DatasetRow): Pick<Dataset, 'counts' | 'label_coverage' | 'origins' | 'latest_version'> {
  const facets = db.all(db.sql.selectFrom('dataset_facets').selectAll().where('dataset_no', '=', row.no).where('examples', '>', 0))
  const of = (facet: string, value: string) => facets.find(one => one.facet === facet && one.value === value)?.examples ?? 0
  const counts = {
    draft: of('review', 'draft'),
    in_review: of('review', 'in_review'),
    approved: of('review', 'approved'),
    rejected: of('review', 'rejected'),
  }
  const [latest] = db.all(
    db.sql
      .selectFrom('dataset_versions')
      .select(['id', 'version', 'example_count', 'created_at'])
      .where('dataset_no', '=', row.no)
      .where('sealed', '=', 1)
      .orderBy('version', 'desc')
      .limit(1),
  )
  return {
    counts: { total: counts.draft + counts.in_review + counts.approved + counts.rejected, ...counts },
    label_coverage: {
      labeled: of('label_state', 'unanimous') + of('label_state', 'majority'),
      tied: of('label_state', 'tie'),
      unlabeled: of('label_state', 'none'),
      values: (row.menu ?? []).map(value => ({ value, examples: of('label', JSON.stringify(value)) })),
    },
    origins: facets.filter(({ facet }) => facet === 'origin').map(({ value, examples }) => ({ kind: value, examples })),
    latest_version: latest ?? null,
  }
}
