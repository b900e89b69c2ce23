import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { SplitView } from '../ui/page/split-view.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { useAddress, useAddressSort } from '../ui/table/use-address.ts'
import { modelColumns } from './model-columns.tsx'
import { LookButton } from './look-button.tsx'
import { ModelPanel } from './model-panel.tsx'
import { kindWords, matches, type Model, toModels } from './models.ts'
import { useConnections, useModelRoutes } from './models.queries.ts'

const kindOptions = Object.entries(kindWords).map(([value, label]) => ({ value, label }))

/** Everything that can be asked: connections, local runtimes, hosted routes and baselines, in one list. */
export function ModelsPage() {
  const { get, set } = useAddress()
  const [sort, setSort] = useAddressSort()
  const routes = useModelRoutes()
  const connections = useConnections()
  const models = useMemo(() => toModels(routes.data ?? [], connections.data ?? []), [routes.data, connections.data])
  const [q, kind] = [get('q'), get('kind')]
  const shown = useMemo(() => models.filter(model => (kind === '' || model.kind === kind) && matches(model, q)), [models, kind, q])
  const open = models.find(model => model.key === get('open'))
  const failed = [routes, connections].find(query => query.isError && query.data === undefined)

  return (
    <Page layout="fill">
      <PageHeader
        title="Models"
        description="Connections, models on this machine, hosted routes, and baselines."
        actions={
          <>
            <RequestMenu operation="listModels" request={{}} />
            <LookButton />
            <Button component={Link} to="/models/local" variant="default">
              Local files
            </Button>
            <Button component={Link} to="/models/connections/new">
              New connection
            </Button>
          </>
        }
      />
      {failed?.error ? <ErrorState error={failed.error} title="Couldn’t load the models" onRetry={() => void failed.refetch()} /> : null}
      <SplitView panel={open ? <ModelPanel model={open} onClose={() => set({ open: null })} /> : null}>
        <DataTable<Model>
          id="models"
          label="Models"
          columns={modelColumns}
          rows={shown}
          rowId={model => model.key}
          sort={sort}
          onSort={setSort}
          sortedBy="browser"
          loading={routes.isPending || connections.isPending}
          openId={open?.key ?? null}
          onOpen={model => set({ open: model.key })}
          toolbar={
            <>
              <SearchFilter label="Search models" />
              <SelectFilter label="Kind" name="kind" options={kindOptions} width={190} />
            </>
          }
          failed={failed !== undefined}
          narrowed={models.length > 0}
          empty={
            kind === 'connection' && q === '' ? (
              <EmptyState
                title="No connection yet"
                action={
                  <Button component={Link} to="/models/connections/new" variant="default">
                    New connection
                  </Button>
                }
              />
            ) : (
              <NoMatches kind="models" onClear={() => set({ q: null, kind: null })} />
            )
          }
        />
      </SplitView>
    </Page>
  )
}
