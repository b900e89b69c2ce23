import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { ApiKey } from '../../contract/keys/keys.schemas.ts'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { SplitView } from '../ui/page/split-view.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { useAddress, useAddressSort } from '../ui/table/use-address.ts'
import { keyColumns } from './key-columns.tsx'
import { KeyPanel } from './key-panel.tsx'
import { useApiKeys } from './keys.queries.ts'
import { useRole } from './use-role.ts'
import { WorkspaceTabs } from './workspace-tabs.tsx'

const shownOptions = [
  { value: 'working', label: 'That still work' },
  { value: 'ended', label: 'That do not work' },
]

export function KeysPage() {
  const { get, set } = useAddress()
  const [sort, setSort] = useAddressSort()
  const { mayAdminister } = useRole()
  const query = useApiKeys()
  const [q, shown] = [get('q').toLowerCase(), get('shown')]
  const rows = useMemo(
    () =>
      (query.data ?? []).filter(
        key =>
          (shown === '' || (key.status === 'active') === (shown === 'working')) && `${key.name} ${key.prefix}`.toLowerCase().includes(q),
      ),
    [query.data, q, shown],
  )
  const open = query.data?.find(key => key.id === get('open'))
  return (
    <Page layout="fill">
      <PageHeader
        title="API keys"
        description="What programs sign in with. Each has its own permissions, expiry and spending limit. Only a hash of it is stored."
        actions={
          <>
            <RequestMenu operation="listApiKeys" request={{}} />
            {mayAdminister ? (
              <Button component={Link} to="/workspace/keys/new">
                New key
              </Button>
            ) : null}
          </>
        }
      />
      <WorkspaceTabs />
      {query.isError && !query.data ? (
        <ErrorState error={query.error} title="Couldn’t load the keys" onRetry={() => void query.refetch()} />
      ) : (
        <SplitView panel={open ? <KeyPanel key={open.id} apiKey={open} onClose={() => set({ open: null })} /> : null}>
          <DataTable<ApiKey>
            id="api-keys"
            label="API keys"
            columns={keyColumns}
            rows={rows}
            rowId={key => key.id}
            sort={sort}
            onSort={setSort}
            sortedBy="browser"
            loading={query.isPending}
            openId={open?.id ?? null}
            onOpen={key => set({ open: key.id })}
            toolbar={
              <>
                <SearchFilter label="Search keys" />
                <SelectFilter label="Keys" name="shown" options={shownOptions} width={160} />
              </>
            }
            empty={
              query.data?.length === 0 ? (
                <EmptyState
                  title="No keys yet"
                  action={
                    mayAdminister ? (
                      <Button component={Link} to="/workspace/keys/new" variant="default">
                        New key
                      </Button>
                    ) : null
                  }
                >
                  A program or agent needs a key to use this workspace through the API.
                </EmptyState>
              ) : (
                <NoMatches kind="keys" onClear={() => set({ q: null, shown: null })} />
              )
            }
          />
        </SplitView>
      )}
    </Page>
  )
}
