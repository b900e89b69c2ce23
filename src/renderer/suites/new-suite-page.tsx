import './suites.css'
import { useQuery } from '@tanstack/react-query'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { keyOf } from './selection.ts'
import { SuiteBuilder } from './suite-builder.tsx'
import { suiteQuery, suiteTasksQuery } from './suites.queries.ts'

/** A new suite, or with `from` in the address the next version of one. */
export function NewSuitePage() {
  const from = useAddress().get('from')
  return (
    <Page>
      <PageHeader
        title={from === '' ? 'New suite' : 'New version'}
        parent={{ title: 'Suites', to: '/suites' }}
        description="Choose exact tasks from any benchmark whose data is here. A saved version never changes; a task that others depend on comes with them."
      />
      {from === '' ? <SuiteBuilder previous={null} initial={new Map()} /> : <NextVersion from={from} />}
    </Page>
  )
}

function NextVersion({ from }: { readonly from: string }) {
  const suite = useQuery(suiteQuery(from))
  const tasks = useQuery(suiteTasksQuery(from))
  return (
    <QueryView query={suite} failure="Couldn’t load the suite">
      {previous => (
        <QueryView query={tasks} failure="Couldn’t load the tasks of the suite">
          {found => <SuiteBuilder previous={previous} initial={new Map(found.map(task => [keyOf(task), task]))} />}
        </QueryView>
      )}
    </QueryView>
  )
}
