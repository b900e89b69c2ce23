import { z } from 'zod'
import { WorldDefinition, type WorldVersion, type WorldVersionDetail } from '../../contract/worlds/worlds.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'

const columns = [
  'id',
  'slug',
  'title',
  'version',
  'source_ref',
  'profile_ids',
  'previous_version_id',
  'tool_count',
  'task_count',
  'created_at',
] as const

const ProfileIds = z.array(z.string())

export function insertWorldVersion(db: Database, workspaceId: string, { definition, profile_ids, ...row }: WorldVersionDetail): void {
  db.run(
    db.sql.insertInto('world_versions').values({
      ...row,
      workspace_id: workspaceId,
      profile_ids: JSON.stringify(profile_ids),
      definition: JSON.stringify(definition),
    }),
  )
}

export function findWorldVersion(db: Database, workspaceId: string, id: string): WorldVersionDetail | null {
  const row = db.first(
    db.sql
      .selectFrom('world_versions')
      .select([...columns, 'definition'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id),
  )
  return row ? { ...toVersion(row), definition: WorldDefinition.parse(JSON.parse(row.definition)) } : null
}

/** The newest version of a slug, or the one of that version name; null where there is none. */
export function findBySlug(db: Database, workspaceId: string, slug: string, version?: string): WorldVersion | null {
  let query = db.sql
    .selectFrom('world_versions')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('slug', '=', slug)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
  if (version !== undefined) query = query.where('version', '=', version)
  const row = db.first(query)
  return row ? toVersion(row) : null
}

export interface WorldVersionsQuery extends PageQuery {
  readonly slug?: string | undefined
}

/** Newest first. */
export function listWorldVersions(db: Database, workspaceId: string, { cursor, limit, slug }: WorldVersionsQuery) {
  const listing: Listing = { endpoint: 'listEnvironmentVersions', filters: { workspaceId, slug } }
  let query = db.sql
    .selectFrom('world_versions')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (slug !== undefined) query = query.where('slug', '=', slug)
  if (cursor !== undefined) {
    const [at, id] = decodeCursor(listing, cursor, 2).map(String)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(at ?? '', id ?? '')))
  }
  return toPage(db.all(query), limit, listing, row => [row.created_at, row.id], toVersion)
}

type Row = Omit<WorldVersion, 'profile_ids'> & { readonly profile_ids: string }

function toVersion({ profile_ids, ...row }: Row): WorldVersion {
  const { id, slug, title, version, source_ref, previous_version_id, tool_count, task_count, created_at } = row
  return {
    id,
    slug,
    title,
    version,
    source_ref,
    profile_ids: ProfileIds.parse(JSON.parse(profile_ids)),
    previous_version_id,
    tool_count,
    task_count,
    created_at,
  }
}
