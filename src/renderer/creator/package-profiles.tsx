import { useQuery } from '@tanstack/react-query'
import type { Package } from '../../contract/creator/packages.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { packageProfilesQuery } from './creator.queries.ts'
import { profileColumns } from './profile-columns.tsx'

/** The profiles that this version gives, each with its quote button. */
export function PackageProfiles({ of }: { readonly of: Package }) {
  const query = useQuery(packageProfilesQuery(of))
  return (
    <Section title="Profiles">
      <QueryView query={query} failure="Couldn’t load the profiles">
        {profiles => <PlainTable label="Profiles" columns={profileColumns} rows={profiles} rowId={one => one.profile_id} />}
      </QueryView>
    </Section>
  )
}
