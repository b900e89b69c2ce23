import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { BenchmarkStatus } from '../../contract/catalog/benchmarks.schemas.ts'
import type { PrivateProfile } from '../../contract/creator/packages.schemas.ts'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { CreatorTabs } from './creator-tabs.tsx'
import { profileStatuses } from './creator-words.ts'
import { usePrivateProfiles } from './creator.queries.ts'
import { profileColumns } from './profile-columns.tsx'

const statusOptions = BenchmarkStatus.options.map(value => ({ value, label: profileStatuses[value].word }))

export function PrivateProfilesPage() {
  const { get, set } = useAddress()
  const [q, status] = [get('q'), oneOf(get('status'), BenchmarkStatus.options)]
  const query = usePrivateProfiles(q, status)
  return (
    <Page layout="fill">
      <PageHeader
        title="Private profiles"
        description="What accepted packages give: profiles that only this workspace can quote and run."
        actions={<RequestMenu operation="listPrivateProfiles" request={{ query: {} }} />}
      />
      <CreatorTabs />
      <PagedTable<PrivateProfile>
        query={query}
        failure="Couldn’t load private profiles"
        id="private-profiles"
        label="Private profiles"
        columns={profileColumns}
        rowId={one => one.profile_id}
        narrowed={q !== '' || status !== undefined}
        toolbar={
          <>
            <SearchFilter label="Search profiles" />
            <SelectFilter label="Status" name="status" options={statusOptions} />
          </>
        }
        empty={
          q !== '' || status ? (
            <NoMatches kind="profiles" onClear={() => set({ q: null, status: null })} />
          ) : (
            <EmptyState
              title="No private profiles yet"
              picture="private-profiles"
              action={
                <Button component={Link} to="/creator/packages/new">
                  Upload a package
                </Button>
              }
            >
              A package’s profiles appear here once a person has approved it.
            </EmptyState>
          )
        }
      />
    </Page>
  )
}
