import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useParams } from 'react-router'
import type { TaskMetadata } from '../../contract/catalog/tasks.schemas.ts'
import type { Suite } from '../../contract/suites/suites.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { EvaluationsTable } from '../evaluations/evaluations-table.tsx'
import { SearchFilter } from '../ui/forms/filters.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { useAddress, useAddressSort } from '../ui/table/use-address.ts'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { Balance } from './balance.tsx'
import { keyOf } from './selection.ts'
import { suiteQuery, suiteTasksQuery } from './suites.queries.ts'

const parent = { title: 'Suites', to: '/suites' }

export function SuitePage() {
  const { suiteId = '' } = useParams()
  return (
    <Page>
      <QueryView
        query={useQuery(suiteQuery(suiteId))}
        failure="Couldn’t load the suite"
        header={<PageHeader title="Suite" parent={parent} />}
        loading={<LinesSkeleton lines={8} />}
      >
        {suite => <SuiteView suite={suite} />}
      </QueryView>
    </Page>
  )
}

const sourceColumns: readonly Column<Suite['sources'][number]>[] = [
  {
    id: 'title',
    title: 'Source',
    width: 220,
    grow: true,
    rowHeader: true,
    cell: source => <UntrustedText text={source.title} layout="prose" />,
  },
  { id: 'ref', title: 'Identity', width: 340, cell: source => <UntrustedText text={source.source_ref} layout="inline" /> },
  { id: 'split', title: 'Split', width: 90, cell: source => source.split },
  { id: 'tasks', title: 'Tasks', width: 80, align: 'end', cell: source => formatCount(source.tasks) },
]

function SuiteView({ suite }: { readonly suite: Suite }) {
  return (
    <>
      <PageHeader
        title={showHidden(suite.name)}
        parent={parent}
        aside={<span className="quiet">version {suite.version}</span>}
        description={<UntrustedText text={suite.description} layout="prose" />}
        actions={
          <>
            <RequestMenu operation="getSuite" request={{ params: { suite_version_id: suite.id } }} />
            {suite.origin === 'workspace' && suite.latest ? (
              <Button component={Link} to={`/suites/new?from=${suite.id}`} variant="default">
                New version
              </Button>
            ) : null}
            <Button component={Link} to={`/suites/${suite.id}/evaluate`}>
              Run as evaluation
            </Button>
          </>
        }
      />
      {suite.latest ? null : (
        <p role="note" style={{ margin: 0 }}>
          A later version follows this one. It still runs as it is, so that earlier results stay comparable.
        </p>
      )}
      <Section title="Benchmarks">
        <PlainTable label="Sources" columns={sourceColumns} rows={suite.sources} rowId={source => `${source.source_ref} ${source.split}`} />
      </Section>
      <Section title="Balance">
        <Balance counts={suite.capabilities} tasks={suite.tasks} />
      </Section>
      <Section title="Tasks">
        <SuiteTasks suite={suite} />
      </Section>
      <Section title="Evaluations">
        <div className="suites-evaluations">
          <EvaluationsTable
            filters={{ q: '', suite_version_id: suite.id }}
            sortName="evaluations-sort"
            empty={<EmptyState title="Not run yet">“Run as evaluation” runs exactly these tasks on a model.</EmptyState>}
          />
        </div>
      </Section>
      <Section title="Identity">
        <KeyValues
          items={{
            Visible: suite.visibility === 'public' ? 'to every workspace' : 'to this workspace',
            Made: suite.origin === 'bundled' ? 'Included with Assay' : <RelativeTime at={suite.created_at} />,
            'Version id': <Identifier value={suite.id} what="suite version id" shown={36} />,
            Digest: <Identifier value={suite.digest} what="digest" shown={16} />,
          }}
        />
      </Section>
    </>
  )
}

/** @param titles of benchmarks, by their source refs */
const taskColumns = (titles: ReadonlyMap<string, string>): readonly Column<TaskMetadata>[] => [
  {
    id: 'task',
    title: 'Task',
    width: 150,
    rowHeader: true,
    sortValue: task => task.task_id,
    cell: task => <UntrustedText text={task.task_id} layout="inline" />,
  },
  { id: 'preview', title: 'Begins with', width: 300, grow: true, cell: task => <UntrustedText text={task.preview} layout="inline" /> },
  {
    id: 'capabilities',
    title: 'Capabilities',
    width: 200,
    cell: task => <UntrustedText text={task.capabilities.join(', ')} layout="prose" />,
  },
  {
    id: 'source',
    title: 'Source',
    width: 240,
    sortValue: task => titles.get(task.source_ref) ?? task.source_ref,
    cell: task => <UntrustedText text={titles.get(task.source_ref) ?? task.source_ref} layout="prose" />,
  },
]

/** Titles of its benchmarks; of two versions of one benchmark, with their versions. */
function namesOf({ sources }: Suite): ReadonlyMap<string, string> {
  return new Map(
    sources.map(({ source_ref: ref, slug, title }) => {
      const isAlone = sources.every(other => other.slug !== slug || other.source_ref === ref)
      return [ref, isAlone ? title : `${title} ${ref.slice(ref.lastIndexOf('/') + 1)}`]
    }),
  )
}

function SuiteTasks({ suite }: { readonly suite: Suite }) {
  const [sort, setSort] = useAddressSort()
  const q = useAddress().get('q').toLowerCase()
  const query = useQuery(suiteTasksQuery(suite.id))
  const columns = useMemo(() => taskColumns(namesOf(suite)), [suite])
  const rows = useMemo(
    () => (query.data ?? []).filter(task => `${task.task_id} ${task.preview} ${task.capabilities.join(' ')}`.toLowerCase().includes(q)),
    [query.data, q],
  )
  return (
    <QueryView query={query} failure="Couldn’t load the tasks of the suite">
      {() => (
        <div style={{ display: 'flex', height: 420 }}>
          <DataTable<TaskMetadata>
            id="tasks-of-suite"
            label="Tasks of the suite"
            columns={columns}
            rows={rows}
            rowId={keyOf}
            sort={sort}
            onSort={setSort}
            sortedBy="browser"
            toolbar={<SearchFilter label="Search tasks" />}
            empty={<EmptyState title="No matching tasks" />}
          />
        </div>
      )}
    </QueryView>
  )
}
