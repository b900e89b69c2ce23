import { ApiError } from '../../contract/errors.ts'
import type { Database } from '../../storage/database.ts'

const nouns = { release_policies: 'release policy', release_suites: 'release suite' } as const

/** The version that a new one follows. @throws ApiError conflict where another one follows it already */
export function requireLatest<Version extends { readonly id: string; readonly version: number }>(
  db: Database,
  table: keyof typeof nouns,
  version: Version,
): Version {
  const next = db.first(db.sql.selectFrom(table).select('id').where('previous_version_id', '=', version.id))
  if (next === undefined) return version
  throw new ApiError(
    'conflict',
    `Version ${version.version} of this ${nouns[table]} is followed by "${next.id}" already. Create the next version from the latest.`,
  )
}
