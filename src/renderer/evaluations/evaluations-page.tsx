import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { runMachine } from '../../contract/runs/run.machine.ts'
import { SuitesTabs } from '../suites/suites-tabs.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { runStatuses } from '../ui/values/statuses.ts'
import { EvaluationsTable } from './evaluations-table.tsx'

const statusOptions = runMachine.states.map(status => ({ value: status, label: runStatuses[status].word }))

export function EvaluationsPage() {
  const { get, set } = useAddress()
  const filters = { q: get('q'), status: oneOf(get('status'), runMachine.states) }
  return (
    <Page layout="fill">
      <PageHeader
        title="Evaluations"
        description="Exact tasks that were run, task by task, never a sample."
        actions={<RequestMenu operation="listEvaluations" request={{ query: filters }} />}
      />
      <SuitesTabs />
      <EvaluationsTable
        filters={filters}
        toolbar={
          <>
            <SearchFilter label="Search evaluations" />
            <SelectFilter label="Status" name="status" options={statusOptions} />
          </>
        }
        empty={
          filters.q || filters.status ? (
            <NoMatches kind="evaluations" onClear={() => set({ q: null, status: null })} />
          ) : (
            <EmptyState
              title="No evaluations yet"
              action={
                <Button component={Link} to="/suites">
                  Choose a suite
                </Button>
              }
            >
              An evaluation runs exactly the tasks of a suite: choose a suite, then a model.
            </EmptyState>
          )
        }
      />
    </Page>
  )
}
