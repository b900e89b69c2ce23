import { IssueEvent } from '../../contract/releases/issues.schemas.ts'
import { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import { ReleaseSuiteSummary } from '../../contract/releases/suites.schemas.ts'
import type { AssetKind, ReleaseAsset } from '../../contract/releases/assets.endpoints.ts'
import { ReleaseCalibration } from '../../contract/releases/release-calibrations.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, toPage } from '../../storage/keyset.ts'
import { listLabels } from './list-labels.store.ts'
import { listEvidence } from './evidence.store.ts'

/** Where each kind is stored as JSON of its record. */
const stored = {
  suite: { table: 'release_suites', column: 'summary', read: (json: unknown) => ({ kind: 'suite', ...ReleaseSuiteSummary.parse(json) }) },
  policy: { table: 'release_policies', column: 'policy', read: (json: unknown) => ({ kind: 'policy', ...ReleasePolicy.parse(json) }) },
  calibration: {
    table: 'release_calibrations',
    column: 'calibration',
    read: (json: unknown) => ({ kind: 'calibration', ...ReleaseCalibration.parse(json) }),
  },
  issue_event: {
    table: 'release_issue_events',
    column: 'event',
    read: (json: unknown) => ({ kind: 'issue_event', ...IssueEvent.parse(json) }),
  },
} as const satisfies Partial<Record<AssetKind, { table: string; column: string; read: (json: unknown) => ReleaseAsset }>>

export interface AssetsQuery {
  readonly kind: AssetKind
  readonly cursor?: string | undefined
  readonly limit: number
}

/** A page of one kind, newest first. */
export function listAssets(db: Database, workspaceId: string, { kind, cursor, limit }: AssetsQuery) {
  const listing: Listing = { endpoint: 'listReleaseAssets', filters: { workspaceId, kind } }
  const before = cursor === undefined ? null : String(decodeCursor(listing, cursor, 1)[0])
  return toPage(
    assetsBefore(db, workspaceId, kind, limit + 1, before),
    limit,
    listing,
    asset => [asset.id],
    asset => asset,
  )
}

function assetsBefore(db: Database, workspaceId: string, kind: AssetKind, limit: number, before: string | null): ReleaseAsset[] {
  if (kind === 'external') return listEvidence(db, workspaceId, limit, before).map(evidence => ({ kind, ...evidence }))
  if (kind === 'label') return listLabels(db, workspaceId, limit, before).map(label => ({ kind, ...label }))
  const { table, column, read } = stored[kind]
  const rows = db
    .prepare(`select ${column} as record from ${table} where workspace_id = ? and id < ? order by id desc limit ?`)
    // No id is greater than this.
    .all(workspaceId, before ?? 'g', limit) as { record: string }[] // the columns are text by definition
  return rows.map(row => read(JSON.parse(row.record)))
}
