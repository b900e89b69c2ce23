import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'

/** Names of frozen profiles by id, for tables and lists that only hold the id. */
export function profileNames(profiles: readonly FrozenProfile[]): (profileId: string) => string {
  const names = new Map(profiles.map(profile => [profile.profile_id, profileName(profile)]))
  return id => names.get(id) ?? id
}
