import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import { casesOf, toCase } from '../../storage/reads/tune-cases.ts'

const CurrentCase = z.object({
  position: z.int(),
  from_revision: z.int(),
  content: z.string(),
  digest: z.instanceof(Uint8Array),
  cluster: z.string().nullable(),
  origin: z.string().nullable(),
  edited: z.string().nullable(),
})
export type CurrentCase = z.infer<typeof CurrentCase>

export interface CaseRow {
  readonly position: number
  readonly id: string
  /** Canonical JSON of {input, expected, metadata}. */
  readonly content: string
  readonly digest: Uint8Array
  readonly cluster: string | null
  readonly origin: string | null
  readonly edited: string | null
}

/** Reads and writes the cases of one session for its next revision, in the caller's transaction. */
export function caseWriter(db: Database, sessionNo: number, revision: number) {
  const find = db.prepare(
    'select position, from_revision, content, digest, cluster, origin, edited from tune_cases where session_no = ? and id = ? and until_revision is null',
  )
  const end = db.prepare('update tune_cases set until_revision = ? where session_no = ? and position = ? and until_revision is null')
  const insert = db.prepare(
    'insert into tune_cases (session_no, position, from_revision, id, content, digest, cluster, origin, edited) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  return {
    find: (id: string): CurrentCase | null => {
      const row = find.get(sessionNo, id)
      return row === undefined ? null : CurrentCase.parse(row)
    },
    end: ({ position }: Pick<CurrentCase, 'position'>): void => void end.run(revision, sessionNo, position),
    insert: (row: CaseRow): void =>
      void insert.run(sessionNo, row.position, revision, row.id, row.content, row.digest, row.cluster, row.origin, row.edited),
  }
}

export function listCases(
  db: Database,
  session: { readonly no: number; readonly id: string },
  revision: number,
  { cursor, limit }: PageQuery,
) {
  const listing: Listing = { endpoint: 'listTuneCases', filters: { id: session.id, revision } }
  let select = casesOf(db, session.no, revision).limit(limit + 1)
  if (cursor) select = select.where('position', '>', Number(decodeCursor(listing, cursor, 1)[0]))
  return toPage(db.all(select), limit, listing, row => [row.position], toCase)
}
