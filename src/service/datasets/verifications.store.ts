import { z } from 'zod'
import { By, type VerificationHistory, type VerificationRecord } from '../../contract/datasets/examples.schemas.ts'
import type { Database } from '../../storage/database.ts'

const Detail = z.record(z.string(), z.unknown())

/** Records of each part of a history. */
const mostRecords = 500

export interface NewVerification {
  readonly id: string
  readonly exampleNo: number
  readonly revision: number
  readonly kind: VerificationRecord['kind']
  readonly outcome: string
  readonly by: By
  readonly detail: Readonly<Record<string, unknown>>
}

export function insertVerification(db: Database, record: NewVerification, now: string): void {
  db.prepare(
    `insert into dataset_verifications (id, example_no, revision, kind, outcome, made_by, detail, at) values (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    record.id,
    record.exampleNo,
    record.revision,
    record.kind,
    record.outcome,
    JSON.stringify(record.by),
    JSON.stringify(record.detail),
    now,
  )
}

interface Told {
  readonly outcome: string
  readonly detail: string
}

/** Adds a record unless the newest of its kind for the revision says the same. */
export function insertNewVerification(db: Database, record: NewVerification, now: string): void {
  const last = db
    .prepare(
      'select outcome, detail from dataset_verifications where example_no = ? and revision = ? and kind = ? order by no desc limit 1',
    )
    .get(record.exampleNo, record.revision, record.kind) as Told | undefined // the columns asked for, of a strict table
  if (last?.outcome !== record.outcome || last.detail !== JSON.stringify(record.detail)) insertVerification(db, record, now)
}

/** Bound to revisions: those of the current one, and those that a newer revision has archived. */
export function readHistory(db: Database, exampleNo: number, revision: number): VerificationHistory {
  const select = db.sql
    .selectFrom('dataset_verifications')
    .select(['id', 'kind', 'revision', 'outcome', 'made_by', 'at', 'detail'])
    .where('example_no', '=', exampleNo)
    .orderBy('no', 'desc')
    .limit(mostRecords)
  const records = (rows: typeof select): VerificationRecord[] =>
    db.all(rows).map(({ made_by, detail, ...row }) => ({
      ...row,
      by: By.parse(JSON.parse(made_by)),
      detail: Detail.parse(JSON.parse(detail)),
    }))
  return { current: records(select.where('revision', '=', revision)), archived: records(select.where('revision', '<', revision)) }
}
