import { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { Database } from '../../storage/database.ts'

export function insertReleasePolicy(db: Database, workspaceId: string, policy: ReleasePolicy): void {
  db.run(
    db.sql.insertInto('release_policies').values({
      id: policy.id,
      workspace_id: workspaceId,
      policy_id: policy.policy_id,
      version: policy.version,
      previous_version_id: policy.previous_version_id,
      name: policy.name,
      policy: JSON.stringify(policy),
      digest: policy.digest,
      created_at: policy.created_at,
    }),
  )
}

export function findReleasePolicy(db: Database, workspaceId: string, id: string): ReleasePolicy | null {
  const row = db.first(
    db.sql.selectFrom('release_policies').select('policy').where('workspace_id', '=', workspaceId).where('id', '=', id.toLowerCase()),
  )
  return row ? ReleasePolicy.parse(JSON.parse(row.policy)) : null
}
