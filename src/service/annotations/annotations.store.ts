import type { By } from '../../contract/datasets/examples.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import { ofRun } from '../../storage/reads/annotations.ts'

/** A run, or one sample of it. */
export interface Target {
  readonly runNo: number
  /** −1: the run itself. */
  readonly position: number
}

export interface Author {
  readonly kind: 'person' | 'key'
  readonly id: string
  readonly name: string
}

export interface Mark {
  readonly kind: 'bookmark' | 'tag'
  /** Empty for a bookmark. */
  readonly tag: string
}

export function marksOf(db: Database, { runNo, position }: Target) {
  return db.all(
    db.sql.selectFrom('run_marks').selectAll().where('run_no', '=', runNo).where('position', '=', position).orderBy('kind').orderBy('tag'),
  )
}

/** Sets a mark at each position where it is not yet set. */
export function addMark(db: Database, runNo: number, positions: readonly number[], { kind, tag }: Mark, by: Author, at: string): void {
  db.prepare(
    `insert into run_marks (run_no, position, kind, tag, by_kind, by_id, by_name, at)
     select ?, value, ?, ?, ?, ?, ?, ? from json_each(?) where true on conflict do nothing`,
  ).run(runNo, kind, tag, by.kind, by.id, by.name, at, JSON.stringify(positions))
}

export function removeMark(db: Database, runNo: number, positions: readonly number[], { kind, tag }: Mark): void {
  db.prepare('delete from run_marks where run_no = ? and kind = ? and tag = ? and position in (select value from json_each(?))').run(
    runNo,
    kind,
    tag,
    JSON.stringify(positions),
  )
}

/** The largest number of tags that one of these positions has. */
export function largestTagCount(db: Database, runNo: number, positions: readonly number[]): number {
  const counts = db.prepare(
    `select count(*) from run_marks where run_no = ? and kind = 'tag' and position in (select value from json_each(?))
     group by position order by 1 desc limit 1`,
  )
  return Number(counts.pluck().get(runNo, JSON.stringify(positions)) ?? 0)
}

export type NoteRow = ReturnType<typeof notesOf>[number]

export function notesOf(db: Database, { runNo, position }: Target) {
  return db.all(db.sql.selectFrom('run_notes').selectAll().where('run_no', '=', runNo).where('position', '=', position).orderBy('no'))
}

export function findNote(db: Database, runNo: number, id: string) {
  return db.first(db.sql.selectFrom('run_notes').selectAll().where('run_no', '=', runNo).where('id', '=', id.toLowerCase()))
}

export function insertNote(db: Database, target: Target, note: { id: string; text: string; by: Author; at: string }): void {
  db.run(
    db.sql.insertInto('run_notes').values({
      id: note.id,
      run_no: target.runNo,
      position: target.position,
      text: note.text,
      by_kind: note.by.kind,
      by_id: note.by.id,
      by_name: note.by.name,
      created_at: note.at,
      changed_at: null,
    }),
  )
}

export function rewriteNote(db: Database, no: number, text: string, at: string): void {
  db.run(db.sql.updateTable('run_notes').set({ text, changed_at: at }).where('no', '=', no))
}

export function removeNote(db: Database, no: number): void {
  db.run(db.sql.deleteFrom('run_notes').where('no', '=', no))
}

export interface TagsQuery extends PageQuery {
  /** Only this run's; null: of every run of the workspace that is not deleted. */
  readonly runNo: number | null
  readonly of?: 'runs' | 'samples' | undefined
  readonly q: string
}

export function listTags(db: Database, workspaceId: string, { cursor, limit, runNo, of, q }: TagsQuery) {
  const listing: Listing = { endpoint: 'listTags', filters: { workspaceId, runNo, of, q } }
  let select = db.sql
    .selectFrom('run_marks')
    .innerJoin('runs', 'runs.no', 'run_marks.run_no')
    .select(e => [
      'run_marks.tag',
      e.fn.sum<number>(e.case().when('run_marks.position', '=', ofRun).then(1).else(0).end()).as('runs'),
      e.fn.sum<number>(e.case().when('run_marks.position', '=', ofRun).then(0).else(1).end()).as('samples'),
    ])
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.deleted_at', 'is', null)
    .where('run_marks.kind', '=', 'tag')
    .groupBy('run_marks.tag')
    .orderBy('run_marks.tag')
    .limit(limit + 1)
  if (cursor) select = select.where('run_marks.tag', '>', String(decodeCursor(listing, cursor, 1)[0]))
  if (runNo !== null) select = select.where('run_marks.run_no', '=', runNo)
  if (of)
    select = select.having(
      e =>
        e.fn.max(
          e
            .case()
            .when('run_marks.position', of === 'runs' ? '=' : '!=', ofRun)
            .then(1)
            .else(0)
            .end(),
        ),
      '=',
      1,
    )
  if (q) select = select.where(e => e(e.fn<number>('instr', ['run_marks.tag', e.val(q.toLowerCase())]), '>', 0))
  return toPage(
    db.all(select),
    limit,
    listing,
    row => [row.tag],
    row => row,
  )
}

/** As the interface names who wrote a row. */
export function authorOf(row: { by_kind: 'person' | 'key'; by_id: string; by_name: string }): By {
  return { kind: row.by_kind, id: row.by_id, name: row.by_name }
}
