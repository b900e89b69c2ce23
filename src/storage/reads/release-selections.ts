import { zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { ResolvedSelection } from '../../contract/suites/suites.schemas.ts'
import type { Database } from '../database.ts'

const Selections = z.array(z.array(ResolvedSelection))

/** The exact tasks of a release suite's version, for each group in its order. */
export function releaseSelections(db: Database, suiteVersionId: string): ResolvedSelection[][] {
  const row = db.first(db.sql.selectFrom('release_suites').select('selections').where('id', '=', suiteVersionId))
  if (!row) throw new RangeError(`There is no release suite version ${suiteVersionId}.`)
  return unpackReleaseSelections(row.selections)
}

export function unpackReleaseSelections(packed: Uint8Array): ResolvedSelection[][] {
  return Selections.parse(JSON.parse(zstdDecompressSync(packed).toString('utf8')))
}
