import type { Selectable } from 'kysely'
import { ReleaseLabel } from '../../contract/releases/labels.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import type { ReleaseLabelsTable } from '../../storage/schema/releases.ts'

/** Every label of the workspace on anything, newest first. */
export function listLabels(db: Database, workspaceId: string, limit: number, before: string | null): ReleaseLabel[] {
  const query = db.sql.selectFrom('release_labels').selectAll().where('workspace_id', '=', workspaceId).orderBy('id', 'desc').limit(limit)
  return db.all(before === null ? query : query.where('id', '<', before)).map(toLabel)
}

export interface SampleLabelsQuery extends PageQuery {
  readonly run_id: string
  readonly sample_id: string
}

/** Verdicts on one sample, newest first. */
export function labelsOfSample(db: Database, workspaceId: string, { cursor, limit, run_id, sample_id }: SampleLabelsQuery) {
  const query = db.sql
    .selectFrom('release_labels')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('target_kind', '=', 'sample')
    .where('owner_id', '=', run_id.toLowerCase())
    .where('target_id', '=', sample_id.toLowerCase())
  return newestFirst(
    db,
    query,
    'id',
    { endpoint: 'listReleaseLabels', filters: { workspaceId, run_id, sample_id } },
    { cursor, limit },
    toLabel,
  )
}

function toLabel(row: Selectable<ReleaseLabelsTable>): ReleaseLabel {
  return ReleaseLabel.parse({
    id: row.id,
    target:
      row.target_kind === 'sample'
        ? { run_id: row.owner_id, sample_id: row.target_id }
        : row.target_kind === 'example'
          ? { dataset_id: row.owner_id, example_id: row.target_id, revision: row.revision }
          : { decision_id: row.owner_id },
    verdict: row.verdict,
    rationale: row.rationale,
    override: row.is_override === 1,
    by: { id: row.person_id, name: row.person_name },
    created_at: row.created_at,
  })
}

/** Each person's newest verdict on each sample of a run. */
export function labelsOfRun(db: Database, workspaceId: string, runId: string): { readonly sampleId: string; readonly verdict: string }[] {
  const rows = db.all(
    db.sql
      .selectFrom('release_labels')
      .select(['target_id', 'person_id', 'verdict'])
      .where('workspace_id', '=', workspaceId)
      .where('target_kind', '=', 'sample')
      .where('owner_id', '=', runId.toLowerCase())
      .orderBy('no'),
  )
  const newest = new Map(rows.map(row => [`${row.target_id} ${row.person_id}`, { sampleId: row.target_id, verdict: row.verdict }]))
  return [...newest.values()]
}
