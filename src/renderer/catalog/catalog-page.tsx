import { Button, Switch } from '@mantine/core'
import { Link } from 'react-router'
import type { Benchmark } from '../../contract/catalog/benchmarks.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { noFiling, useFiling, useFilingQuery } from '../items/use-filing.tsx'
import { checkField } from '../ui/forms/fields.ts'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { SplitView } from '../ui/page/split-view.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { useAddress, useAddressSort } from '../ui/table/use-address.ts'
import { BenchmarkPanel } from './benchmark-panel.tsx'
import { catalogColumns } from './catalog-columns.tsx'
import { useBenchmarks } from './catalog.queries.ts'
import { applyFacets, type FacetChoice, facetOptions } from './facets.ts'

const none: readonly Benchmark[] = []

const filedBenchmarks = {
  kind: 'benchmark',
  plural: 'benchmarks',
  id: (benchmark: Benchmark) => benchmark.slug,
  name: (benchmark: Benchmark) => showHidden(benchmark.title),
  isOwn: (benchmark: Benchmark) => benchmark.origin === 'imported',
} as const

export function CatalogPage() {
  const { get, set } = useAddress()
  const [sort, setSort] = useAddressSort()
  const q = get('q')
  const filed = useFilingQuery('benchmark')
  const benchmarks = useBenchmarks(q, filed)
  const found = benchmarks.data ?? none
  const choice: FacetChoice = {
    runner: get('runner'),
    capability: get('capability'),
    status: get('status'),
    runnable: get('runnable') === 'yes',
  }
  const open = get('open') || null
  const rows = applyFacets(found, choice)
  const filing = useFiling(filedBenchmarks, rows, catalogColumns)

  return (
    <Page layout="fill">
      <PageHeader
        title="Catalog"
        description="Benchmarks that ship with Assay, recipes for public ones, and what you imported."
        actions={
          <>
            <RequestMenu operation="listBenchmarks" request={{ query: { q, ...filed } }} />
            <Button component={Link} to="/catalog/environments" variant="default">
              Environments
            </Button>
            <Button component={Link} to="/catalog/import">
              Import data
            </Button>
          </>
        }
      />
      {benchmarks.isError && !benchmarks.data ? (
        <ErrorState error={benchmarks.error} title="Couldn’t load the catalog" onRetry={() => void benchmarks.refetch()} />
      ) : (
        <SplitView panel={open ? <BenchmarkPanel slug={open} onClose={() => set({ open: null })} /> : null}>
          <DataTable
            id="catalog"
            label="Benchmarks"
            columns={filing.columns}
            onMark={filing.onMark}
            rows={rows}
            rowId={benchmark => benchmark.slug}
            sort={sort}
            onSort={setSort}
            sortedBy="browser"
            loading={benchmarks.isPending}
            openId={open}
            onOpen={benchmark => set({ open: benchmark.slug })}
            toolbar={filing.toolbar(
              <>
                <SearchFilter label="Search benchmarks" />
                <SelectFilter label="Runner" name="runner" options={facetOptions(found, choice, 'runner')} />
                <SelectFilter label="Capability" name="capability" options={facetOptions(found, choice, 'capability')} />
                <SelectFilter label="Status" name="status" options={facetOptions(found, choice, 'status')} />
                <Switch label="Runnable now" {...checkField(choice.runnable, isOn => set({ runnable: isOn ? 'yes' : null }))} />
              </>,
            )}
            empty={
              <NoMatches
                kind="benchmarks"
                onClear={() => set({ q: null, runner: null, capability: null, status: null, runnable: null, ...noFiling })}
              />
            }
          />
        </SplitView>
      )}
    </Page>
  )
}
