import { TuneCase } from '../../contract/tuning/draft.schemas.ts'
import type { Database } from '../database.ts'
import type { TuneCasesTable } from '../schema/tuning.ts'

/** Cases of a revision in their order. */
export const casesOf = (db: Database, sessionNo: number, revision: number) =>
  db.sql
    .selectFrom('tune_cases')
    .select(['position', 'id', 'content', 'cluster', 'origin', 'edited'])
    .where('session_no', '=', sessionNo)
    .where('from_revision', '<=', revision)
    .where(e => e.or([e('until_revision', 'is', null), e('until_revision', '>', revision)]))
    .orderBy('position')

type CaseColumns = Pick<TuneCasesTable, 'id' | 'content' | 'cluster' | 'origin' | 'edited'>

const Content = TuneCase.pick({ input: true, expected: true, metadata: true })

export function toCase({ id, content, cluster, origin, edited }: CaseColumns): TuneCase {
  return {
    id,
    ...Content.parse(JSON.parse(content)),
    cluster,
    origin: origin === null ? null : TuneCase.shape.origin.parse(JSON.parse(origin)),
    edited: edited === null ? null : TuneCase.shape.edited.parse(JSON.parse(edited)),
  }
}

/** The first cases of a revision in their order. */
export function readCases(db: Database, sessionNo: number, revision: number, limit: number): TuneCase[] {
  return db.all(casesOf(db, sessionNo, revision).limit(limit)).map(toCase)
}
