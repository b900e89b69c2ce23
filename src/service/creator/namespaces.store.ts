import { Namespace } from '../../contract/creator/namespaces.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'

export interface NamespaceRow {
  readonly name: string
  readonly skeleton: string
  readonly title: string
  readonly description: string
  readonly verification: Namespace['verification']
  readonly publicKey: string | null
  readonly fingerprint: string | null
  readonly createdAt: string
}

export function insertNamespace(db: Database, workspaceId: string, row: NamespaceRow): void {
  const { publicKey, fingerprint, createdAt, ...rest } = row
  db.run(
    db.sql
      .insertInto('creator_namespaces')
      .values({ ...rest, workspace_id: workspaceId, public_key: publicKey, key_fingerprint: fingerprint, created_at: createdAt }),
  )
}

const selectNamespaces = (db: Database, workspaceId: string) =>
  db.sql
    .selectFrom('creator_namespaces as n')
    .select(['n.name', 'n.title', 'n.description', 'n.verification', 'n.key_fingerprint', 'n.public_key', 'n.created_at'])
    .select(e =>
      e
        .selectFrom('creator_packages as p')
        .whereRef('p.namespace', '=', 'n.name')
        .select(count => count.fn.countAll<number>().as('packages'))
        .as('packages'),
    )
    .where('n.workspace_id', '=', workspaceId)

type SelectedNamespace = NonNullable<ReturnType<typeof findNamespace>>

export function findNamespace(db: Database, workspaceId: string, name: string) {
  return db.first(selectNamespaces(db, workspaceId).where('n.name', '=', name))
}

export function toNamespace({ public_key: _, ...row }: SelectedNamespace): Namespace {
  return Namespace.parse({ ...row, packages: row.packages ?? 0 })
}

export function listNamespaces(db: Database, workspaceId: string, { cursor, limit }: PageQuery) {
  const listing: Listing = { endpoint: 'listNamespaces', filters: { workspaceId } }
  let select = selectNamespaces(db, workspaceId)
    .orderBy('n.created_at', 'desc')
    .orderBy('n.name', 'desc')
    .limit(limit + 1)
  if (cursor) {
    const [at, name] = decodeCursor(listing, cursor, 2)
    select = select.where(e => e(e.refTuple('n.created_at', 'n.name'), '<', e.tuple(String(at), String(name))))
  }
  return toPage(db.all(select), limit, listing, row => [row.created_at, row.name], toNamespace)
}

export function setVerification(db: Database, name: string, verification: Namespace['verification']): void {
  db.run(db.sql.updateTable('creator_namespaces').set({ verification }).where('name', '=', name))
}

export function countNamespaces(db: Database, workspaceId: string): number {
  const row = db.first(
    db.sql
      .selectFrom('creator_namespaces')
      .where('workspace_id', '=', workspaceId)
      .select(e => e.fn.countAll<number>().as('n')),
  )
  return row?.n ?? 0
}

/** Whether any workspace of this installation has a namespace that reads the same. */
export function isTaken(db: Database, skeleton: string): boolean {
  return db.first(db.sql.selectFrom('creator_namespaces').select('name').where('skeleton', '=', skeleton)) !== undefined
}

/** Names before the first slash of source refs that ship with the product: others cannot publish under them. */
export function shippedProviders(db: Database): string[] {
  const rows = db
    .prepare(`select distinct json_extract(definition, '$.provider') as provider from benchmarks where workspace_id is null`)
    .all() as { provider: string }[] // the definition of a benchmark names its provider
  return rows.map(({ provider }) => provider)
}
