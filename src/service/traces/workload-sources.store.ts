import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ResourceKind } from '../../contract/traces/integrations.schemas.ts'
import type { Database } from '../../storage/database.ts'

export interface SourceIdentity {
  readonly workspaceId: string
  readonly datasetId: string
  readonly integrationId: string
  readonly kind: ResourceKind
  readonly resourceId: string
}

/** The record of what a dataset reads from a resource, made at its first page. */
export function openSource(db: Database, of: SourceIdentity, version: string, nextId: () => string, now: string): string {
  const found = db.first(
    db.sql
      .selectFrom('workload_sources')
      .select('id')
      .where('dataset_id', '=', of.datasetId)
      .where('integration_id', '=', of.integrationId)
      .where('kind', '=', of.kind)
      .where('resource_id', '=', of.resourceId),
  )
  if (found) {
    db.run(db.sql.updateTable('workload_sources').set({ version, updated_at: now }).where('id', '=', found.id))
    return found.id
  }
  const id = nextId()
  db.run(
    db.sql.insertInto('workload_sources').values({
      id,
      workspace_id: of.workspaceId,
      dataset_id: of.datasetId,
      integration_id: of.integrationId,
      kind: of.kind,
      resource_id: of.resourceId,
      version,
      created_at: now,
      updated_at: now,
    }),
  )
  return id
}

export function storeSourceItems(
  db: Database,
  sourceId: string,
  items: readonly { readonly itemId: string; readonly exampleId: string; readonly digest: string }[],
): void {
  const write = db.prepare(
    `insert into workload_source_items (source_id, item_id, example_id, digest) values (?, ?, ?, ?)
     on conflict (source_id, item_id) do update set example_id = excluded.example_id, digest = excluded.digest`,
  )
  for (const { itemId, exampleId, digest } of items) write.run(sourceId, itemId, exampleId, digest)
}

const ItemDigest = z.object({ item_id: z.string(), digest: z.string() })

/** SHA-256 over all items of a source in the order of their ids. */
export function sourceDigest(db: Database, sourceId: string): string {
  const hash = createHash('sha256')
  const rows = db.iterate(
    db.sql.selectFrom('workload_source_items').select(['item_id', 'digest']).where('source_id', '=', sourceId).orderBy('item_id'),
  )
  for (const row of rows) {
    const { item_id, digest } = ItemDigest.parse(row)
    hash.update(`${item_id}\n${digest}\n`)
  }
  return hash.digest('hex')
}
