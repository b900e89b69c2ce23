import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { ResolvedSelection, type Suite, SuiteSummary } from '../../contract/suites/suites.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { isFiled, type Filing } from '../../storage/reads/filed-items.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'

const Stored = SuiteSummary.omit({ latest: true })
const Selections = z.array(ResolvedSelection)

/** @param workspaceId null for a suite that ships with the product */
export function insertSuite(db: Database, workspaceId: string | null, { task_selections, latest: _, ...summary }: Suite): void {
  db.run(
    db.sql.insertInto('suite_versions').values({
      id: summary.id,
      workspace_id: workspaceId,
      suite_id: summary.suite_id,
      version: summary.version,
      previous_version_id: summary.previous_version_id,
      name: summary.name,
      visibility: summary.visibility,
      summary: JSON.stringify(summary),
      selections: packSelections(task_selections),
      digest: summary.digest,
      search: [summary.name, summary.description, ...summary.sources.map(source => `${source.source_ref} ${source.title}`)]
        .join(' ')
        .toLowerCase(),
      created_at: summary.created_at,
    }),
  )
}

export function packSelections(selections: readonly ResolvedSelection[]): Uint8Array {
  return zstdCompressSync(JSON.stringify(selections))
}

export function unpackSelections(packed: Uint8Array): ResolvedSelection[] {
  return Selections.parse(JSON.parse(zstdDecompressSync(packed).toString('utf8')))
}

const selectSuites = (db: Database) =>
  db.sql
    .selectFrom('suite_versions as s')
    .leftJoin('suite_versions as next', 'next.previous_version_id', 's.id')
    .select(['s.id', 's.workspace_id', 's.suite_id', 's.version', 's.visibility', 's.summary', 'next.id as next_id'])

type SuiteRow = NonNullable<ReturnType<typeof findSuiteRow>>

/** Whether it is there at all; what a workspace may see of it is for the service to say. */
export function findSuiteRow(db: Database, id: string) {
  return db.first(selectSuites(db).select('s.selections').where('s.id', '=', id.toLowerCase()))
}

export function toSuite(row: SuiteRow): Suite {
  return { ...toSummary(row), task_selections: unpackSelections(row.selections) }
}

function toSummary(row: Pick<SuiteRow, 'summary' | 'next_id'>): SuiteSummary {
  return { ...Stored.parse(JSON.parse(row.summary)), latest: row.next_id === null }
}

export interface SuitesQuery extends Filing, PageQuery {
  readonly all_versions: boolean
  readonly q: string
}

export function listSuites(db: Database, workspaceId: string, { cursor, limit, ...filters }: SuitesQuery) {
  const { all_versions: all, q } = filters
  let select = selectSuites(db)
    .where('s.workspace_id', '=', workspaceId)
    .where(isFiled('suite', 's.suite_id', workspaceId, filters))
  if (!all) select = select.where('next.id', 'is', null)
  if (q) select = select.where(e => e(e.fn<number>('instr', ['s.search', e.val(q.toLowerCase())]), '>', 0))
  return newestFirst(
    db,
    select,
    ['s', 'id'],
    { endpoint: 'listSuites', filters: { workspaceId, ...filters } },
    { cursor, limit },
    toSummary,
  )
}

/** The latest version of every public suite, of any creator. */
export function listPublicSuites(db: Database, { cursor, limit }: Pick<SuitesQuery, 'cursor' | 'limit'>) {
  const select = selectSuites(db).where('s.visibility', '=', 'public').where('next.id', 'is', null)
  return newestFirst(db, select, ['s', 'id'], { endpoint: 'listPublicSuites', filters: {} }, { cursor, limit }, toSummary)
}
