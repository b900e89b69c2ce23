import type { Insertable } from 'kysely'
import { z } from 'zod'
import type { JobKind } from '../../contract/jobs/jobs.schemas.ts'
import { Timestamp } from '../../contract/primitives.ts'
import { RetentionEvent, type RetentionKind, RetentionRule } from '../../contract/retention/retention.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { TrustedClock } from './trusted-clock.ts'
import type { RetentionEventsTable } from '../../storage/schema/retention.ts'

interface Kept {
  /** Rows of a workspace that may be removed, with the key and the instant that a rule counts from. */
  readonly rows: string
  /** Removes what belongs to the keys of a JSON list, then the rows; the last statement counts. */
  readonly removals: readonly string[]
}

const among = (column: string): string => `${column} in (select value from json_each(?))`

/** Kinds whose newest job of a record is read with the record: an import's error, a run's regrade, a session's problem. */
const readWithRecord: readonly JobKind[] = [
  'catalog_import',
  'catalog_import_download',
  'catalog_import_media',
  'catalog_import_preview',
  'model_identity',
  'package_checks',
  'regrade',
  'tune_auto',
  'tune_race',
  'tune_search',
]

/**
 * Only rows that nothing else needs: an issue of a release keeps its trace, as a workload does that has not ended; the newest job of each
 * kind says when its work was last done. Statements over tables of other features, since what a removal takes along is one decision.
 */
const kept: Readonly<Record<RetentionKind, Kept>> = {
  traces: {
    rows: `select t.no as key, t.started_at as at from traces t where t.workspace_id = @workspace and not exists
      (select 1 from release_issues i where i.workspace_id = t.workspace_id and i.trace_id in (t.id, t.provider_trace_id))
      and not exists (select 1 from tune_occurrences o join tune_monitors m on m.no = o.monitor_no
        where m.workspace_id = t.workspace_id and o.status in ('accepted', 'running') and
          (t.id in (select lower(value) from json_each(o.source, '$.trace_ids')) or
            (t.integration_id = lower(o.source ->> 'integration_id') and t.started_at >= o.source ->> 'from'
              and t.started_at < o.source ->> 'to')))`,
    removals: [
      `delete from item_marks where kind = 'trace' and id in (select id from traces where ${among('no')})`,
      `delete from trace_search where ${among('rowid')}`,
      `delete from span_search where rowid in (select (trace_no << 32) + no from spans where ${among('trace_no')})`,
      `delete from trace_annotations where ${among('trace_no')}`,
      `delete from span_revisions where ${among('trace_no')}`,
      `delete from spans where ${among('trace_no')}`,
      `delete from traces where ${among('no')}`,
    ],
  },
  jobs: {
    rows: `select j.id as key, j.finished_at as at from jobs j where j.workspace_id is @workspace and j.finished_at is not null
      and j.state in ('succeeded', 'failed', 'cancelled') and exists
      (select 1 from jobs n where n.workspace_id is j.workspace_id and n.kind = j.kind and n.id > j.id and
        (j.kind not in (${readWithRecord.map(kind => `'${kind}'`).join(', ')}) or n.subject_id is j.subject_id))`,
    removals: [`delete from jobs where ${among('id')}`],
  },
  deliveries: {
    rows: `select d.no as key, d.finished_at as at from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where w.workspace_id = @workspace and d.status <> 'pending' and d.finished_at is not null`,
    removals: [`delete from webhook_deliveries where ${among('no')}`],
  },
}

const Facts = z.object({ items: z.int(), oldest_at: Timestamp.nullable() })

/** How many there are from an instant on, or at all, and the oldest of them. */
export function keptFacts(db: Database, kind: RetentionKind, workspace: string, from: string | null): z.infer<typeof Facts> {
  return Facts.parse(
    db
      .prepare(`select count(*) as items, min(at) as oldest_at from (${kept[kind].rows}) where @from is null or at >= @from`)
      .get({ workspace, from }),
  )
}

export function countBefore(db: Database, kind: RetentionKind, workspace: string, before: string): number {
  return Number(db.prepare(`select count(*) from (${kept[kind].rows}) where at < @before`).pluck().get({ workspace, before }))
}

/** Instant of the `most`th newest; null where there are fewer. */
export function boundaryOf(db: Database, kind: RetentionKind, workspace: string, most: number): string | null {
  const at = db
    .prepare(`select at from (${kept[kind].rows}) order by at desc limit 1 offset @skipped`)
    .pluck()
    .get({ workspace, skipped: most - 1 })
  return at === undefined ? null : Timestamp.parse(at)
}

/** Removes at most so many, the oldest first. In a transaction. @param workspace null: jobs of the whole machine */
export function removeBefore(db: Database, kind: RetentionKind, workspace: string | null, before: string, most: number): number {
  const keys = db
    .prepare(`select key from (${kept[kind].rows}) where at < @before order by at limit @most`)
    .pluck()
    .all({ workspace, before, most })
  for (const statement of keys.length === 0 ? [] : kept[kind].removals) db.prepare(statement).run(JSON.stringify(keys))
  return keys.length
}

const nothing: RetentionRule = { max_age_days: null, max_items: null }

export function readRule(db: Database, workspaceId: string, kind: RetentionKind): RetentionRule {
  const row = db.first(
    db.sql
      .selectFrom('retention_rules')
      .select(['max_age_days', 'max_items'])
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', kind),
  )
  return row ? RetentionRule.parse(row) : nothing
}

/** A rule without limits is deleted. */
export function writeRule(db: Database, workspaceId: string, kind: RetentionKind, rule: RetentionRule): void {
  if (rule.max_age_days === null && rule.max_items === null)
    db.run(db.sql.deleteFrom('retention_rules').where('workspace_id', '=', workspaceId).where('kind', '=', kind))
  else db.run(db.sql.replaceInto('retention_rules').values({ workspace_id: workspaceId, kind, ...rule }))
}

export function readTrustedClock(db: Database): TrustedClock | null {
  const row = db.first(db.sql.selectFrom('retention_clock').select(['trusted_at', 'held_since']).where('no', '=', 1))
  return row ? { trustedAt: new Date(row.trusted_at), heldSince: row.held_since === null ? null : new Date(row.held_since) } : null
}

export function writeTrustedClock(db: Database, { trustedAt, heldSince }: TrustedClock): void {
  const held = heldSince?.toISOString() ?? null
  db.run(db.sql.replaceInto('retention_clock').values({ no: 1, trusted_at: trustedAt.toISOString(), held_since: held }))
}

export function everyRule(db: Database) {
  return db.all(db.sql.selectFrom('retention_rules').selectAll())
}

export function addEvent(db: Database, event: Insertable<RetentionEventsTable>): void {
  db.run(db.sql.insertInto('retention_events').values(event))
}

const Events = z.array(RetentionEvent)

/** The newest first. */
export function listEvents(db: Database, workspaceId: string, limit: number): RetentionEvent[] {
  return Events.parse(
    db.all(
      db.sql
        .selectFrom('retention_events')
        .select(['at', 'kind', 'event', 'by', 'max_age_days', 'max_items', 'items', 'before'])
        .where('workspace_id', '=', workspaceId)
        .orderBy('no', 'desc')
        .limit(limit),
    ),
  )
}
