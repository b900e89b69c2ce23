import type { Database } from '../../storage/database.ts'
import type { SecretPlace } from '../host.ts'

export interface StoredSecret {
  readonly cipher: Uint8Array
  readonly place: SecretPlace
}

/** Every secret of the database, each with the place that it was stored for. */
export function storedSecrets(db: Database): StoredSecret[] {
  const connections = db.all(db.sql.selectFrom('connections').select(['id', 'workspace_id', 'secret', 'secret_origin']))
  const integrations = db.all(db.sql.selectFrom('trace_integrations').select(['id', 'workspace_id', 'secret', 'secret_origin']))
  const scorers = db.all(db.sql.selectFrom('remote_scorers').select(['id', 'workspace_id', 'secret', 'url']))
  const hooks = db.all(db.sql.selectFrom('webhooks').select(['id', 'workspace_id', 'secret', 'url']))
  const keys = db.all(db.sql.selectFrom('release_keys').select(['workspace_id', 'secret']))
  return [
    ...connections.map(row => ({ ...row, table: 'connections' as const, origin: row.secret_origin })),
    ...integrations.map(row => ({ ...row, table: 'trace_integrations' as const, origin: row.secret_origin })),
    ...scorers.map(row => ({ ...row, table: 'remote_scorers' as const, origin: URL.parse(row.url)?.origin ?? null })),
    ...hooks.map(row => ({ ...row, table: 'webhooks' as const, origin: URL.parse(row.url)?.origin ?? null })),
    ...keys.map(row => ({ ...row, id: row.workspace_id, table: 'release_keys' as const, origin: null })),
  ].flatMap(({ table, id, workspace_id, secret, origin }) =>
    secret === null ? [] : [{ cipher: secret, place: { workspaceId: workspace_id, table, rowId: id, origin } }],
  )
}

/** Changes only the cipher of the row. */
export function replaceSecret(db: Database, { table, rowId, workspaceId }: SecretPlace, secret: Uint8Array): void {
  switch (table) {
    case 'connections':
      db.run(db.sql.updateTable('connections').set({ secret }).where('id', '=', rowId))
      break
    case 'trace_integrations':
      db.run(db.sql.updateTable('trace_integrations').set({ secret }).where('id', '=', rowId))
      break
    case 'remote_scorers':
      db.run(db.sql.updateTable('remote_scorers').set({ secret }).where('id', '=', rowId))
      break
    case 'webhooks':
      db.run(db.sql.updateTable('webhooks').set({ secret }).where('id', '=', rowId))
      break
    case 'release_keys':
      db.run(db.sql.updateTable('release_keys').set({ secret }).where('workspace_id', '=', workspaceId))
  }
}
