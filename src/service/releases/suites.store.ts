import { zstdCompressSync } from 'node:zlib'
import { ReleaseSuite, ReleaseSuiteSummary } from '../../contract/releases/suites.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { unpackReleaseSelections } from '../../storage/reads/release-selections.ts'

export function insertReleaseSuite(db: Database, workspaceId: string, { groups, ...suite }: ReleaseSuite): void {
  const summary: ReleaseSuiteSummary = { ...suite, groups: groups.map(({ task_selections: _, ...group }) => group) }
  db.run(
    db.sql.insertInto('release_suites').values({
      id: suite.id,
      workspace_id: workspaceId,
      suite_id: suite.suite_id,
      version: suite.version,
      previous_version_id: suite.previous_version_id,
      name: suite.name,
      summary: JSON.stringify(summary),
      selections: zstdCompressSync(JSON.stringify(groups.map(group => group.task_selections))),
      digest: suite.digest,
      created_at: suite.created_at,
    }),
  )
}

export function findReleaseSuite(db: Database, workspaceId: string, id: string): ReleaseSuite | null {
  const row = db.first(
    db.sql
      .selectFrom('release_suites')
      .select(['summary', 'selections'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id.toLowerCase()),
  )
  if (!row) return null
  const { groups, ...suite } = ReleaseSuiteSummary.parse(JSON.parse(row.summary))
  const selections = unpackReleaseSelections(row.selections)
  return ReleaseSuite.parse({ ...suite, groups: groups.map((group, i) => ({ ...group, task_selections: selections[i] ?? [] })) })
}

/** A first version of that name and content. */
export function findSameSuite(db: Database, workspaceId: string, name: string, digest: string): ReleaseSuite | null {
  const row = db.first(
    db.sql
      .selectFrom('release_suites')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('name', '=', name)
      .where('digest', '=', digest)
      .where('previous_version_id', 'is', null),
  )
  return row ? findReleaseSuite(db, workspaceId, row.id) : null
}
