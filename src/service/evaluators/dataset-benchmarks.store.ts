import type { DatasetBenchmark } from '../../contract/evaluators/dataset-benchmarks.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'

/** Once for each benchmark version and dataset version. */
export function insertDatasetBenchmark(db: Database, workspaceId: string, benchmark: DatasetBenchmark): void {
  db.run(
    db.sql
      .insertInto('dataset_benchmarks')
      .values({ workspace_id: workspaceId, ...benchmark })
      .onConflict(conflict => conflict.doNothing()),
  )
}

const columns = ['slug', 'title', 'source_ref', 'profile_id', 'dataset_version_id', 'evaluator_version_id', 'created_at'] as const

export function findDatasetBenchmark(db: Database, workspaceId: string, sourceRef: string, versionId?: string): DatasetBenchmark | null {
  let query = db.sql
    .selectFrom('dataset_benchmarks')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('source_ref', '=', sourceRef)
    .limit(1)
  if (versionId !== undefined) query = query.where('dataset_version_id', '=', versionId)
  return db.first(query) ?? null
}

/** Ids of the datasets that a benchmark was made of. */
export function datasetsOfSlug(db: Database, workspaceId: string, slug: string): string[] {
  const rows = db.all(
    db.sql
      .selectFrom('dataset_benchmarks as b')
      .innerJoin('dataset_versions as v', 'v.id', 'b.dataset_version_id')
      .innerJoin('datasets as d', 'd.no', 'v.dataset_no')
      .select('d.id')
      .distinct()
      .where('b.workspace_id', '=', workspaceId)
      .where('b.slug', '=', slug),
  )
  return rows.map(({ id }) => id)
}

/** Newest first. */
export function listDatasetBenchmarks(db: Database, versionId: string, { cursor, limit }: PageQuery) {
  const listing: Listing = { endpoint: 'listDatasetBenchmarks', filters: { versionId } }
  let rows = db.sql
    .selectFrom('dataset_benchmarks')
    .select(columns)
    .where('dataset_version_id', '=', versionId)
    .orderBy('created_at', 'desc')
    .orderBy('source_ref', 'desc')
    .limit(limit + 1)
  if (cursor) {
    const [at, ref] = decodeCursor(listing, cursor, 2).map(String)
    rows = rows.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'source_ref'), '<', tuple(at ?? '', ref ?? '')))
  }
  return toPage(
    db.all(rows),
    limit,
    listing,
    row => [row.created_at, row.source_ref],
    row => row,
  )
}
