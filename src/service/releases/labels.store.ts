import { type LabelTarget, ReleaseLabel } from '../../contract/releases/labels.schemas.ts'
import type { z } from 'zod'
import type { Database } from '../../storage/database.ts'

type Target = z.infer<typeof LabelTarget>
type Verdict = ReleaseLabel['verdict']

export function insertLabel(db: Database, workspaceId: string, label: ReleaseLabel): void {
  db.run(
    db.sql.insertInto('release_labels').values({
      id: label.id,
      workspace_id: workspaceId,
      ...columnsOf(label.target),
      verdict: label.verdict,
      rationale: label.rationale,
      is_override: label.override ? 1 : 0,
      person_id: label.by.id,
      person_name: label.by.name,
      created_at: label.created_at,
    }),
  )
}

function columnsOf(target: Target) {
  if ('run_id' in target)
    return {
      target_kind: 'sample',
      owner_id: target.run_id.toLowerCase(),
      target_id: target.sample_id.toLowerCase(),
      revision: null,
    } as const
  if ('dataset_id' in target)
    return {
      target_kind: 'example',
      owner_id: target.dataset_id.toLowerCase(),
      target_id: target.example_id.toLowerCase(),
      revision: target.revision,
    } as const
  const id = target.decision_id.toLowerCase()
  return { target_kind: 'decision', owner_id: id, target_id: id, revision: null } as const
}

/** Verdicts on a decision, oldest first. */
export function labelsOfDecision(db: Database, workspaceId: string, decisionId: string): ReleaseLabel[] {
  return db
    .all(
      db.sql
        .selectFrom('release_labels')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('target_kind', '=', 'decision')
        .where('owner_id', '=', decisionId)
        .orderBy('no'),
    )
    .map(row =>
      ReleaseLabel.parse({
        id: row.id,
        target: { decision_id: row.owner_id },
        verdict: row.verdict,
        rationale: row.rationale,
        override: row.is_override === 1,
        by: { id: row.person_id, name: row.person_name },
        created_at: row.created_at,
      }),
    )
}

/** How many samples of these runs have a person's newest label that is not `unsure`. */
export function countLabeledSamples(db: Database, workspaceId: string, runIds: readonly string[]): number {
  if (runIds.length === 0) return 0
  const row = db.first(
    db.sql
      .selectFrom('release_labels as l')
      .select(e => e.fn.count<number>('l.target_id').distinct().as('n'))
      .where('l.workspace_id', '=', workspaceId)
      .where('l.target_kind', '=', 'sample')
      .where('l.verdict', '!=', 'unsure' satisfies Verdict)
      .where('l.owner_id', 'in', runIds)
      .where(({ not, exists, selectFrom, ref }) =>
        not(
          exists(
            selectFrom('release_labels as later')
              .select('later.no')
              .where('later.workspace_id', '=', workspaceId)
              .where('later.target_kind', '=', 'sample')
              .where('later.owner_id', '=', ref('l.owner_id'))
              .where('later.target_id', '=', ref('l.target_id'))
              .where('later.person_id', '=', ref('l.person_id'))
              .where('later.no', '>', ref('l.no')),
          ),
        ),
      ),
  )
  return row?.n ?? 0
}
