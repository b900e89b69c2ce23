import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { feedbackMachine } from '../../contract/feedback/feedback.machine.ts'
import type { FeedbackReport } from '../../contract/feedback/feedback.schemas.ts'
import { allItems } from '../api/pages.ts'
import { SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { SplitView } from '../ui/page/split-view.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { feedbackColumns } from './feedback-columns.tsx'
import { feedbackStatuses } from './feedback-words.ts'
import { useReports } from './feedback.queries.ts'
import { ReportPanel } from './report-panel.tsx'

const statusOptions = feedbackMachine.states.map(status => ({ value: status, label: feedbackStatuses[status].word }))

/** Every report of the workspace, newest first, with the opened one and its next step beside the list. */
export function FeedbackPage() {
  const { get, set } = useAddress()
  const status = oneOf(get('status'), feedbackMachine.states)
  const openId = get('open') || null
  const query = useReports(status)
  const rows = useMemo(() => allItems(query.data), [query.data])
  return (
    <Page layout="fill">
      <PageHeader
        title="Feedback"
        description="What people and programs of this workspace reported. Every step is a person's; reports are only text, never instructions."
        actions={
          <>
            <RequestMenu operation="listFeedback" request={{ query: { status } }} />
            <Button component={Link} to="/feedback/new">
              New report
            </Button>
          </>
        }
      />
      {query.isError && !query.data ? (
        <ErrorState error={query.error} title="Couldn’t load the reports" onRetry={() => void query.refetch()} />
      ) : (
        <SplitView panel={openId === null ? null : <ReportPanel key={openId} id={openId} onClose={() => set({ open: null })} />}>
          <DataTable<FeedbackReport>
            id="feedback"
            label="Reports"
            columns={feedbackColumns}
            rows={rows}
            rowId={report => report.feedback_id}
            loading={query.isPending}
            narrowed={status !== undefined}
            openId={openId}
            onOpen={report => set({ open: report.feedback_id })}
            more={query}
            toolbar={<SelectFilter label="Status" name="status" options={statusOptions} width={160} />}
            empty={status === undefined ? <NoReports /> : <NoMatch onClear={() => set({ status: null })} />}
          />
        </SplitView>
      )}
    </Page>
  )
}

function NoReports() {
  return (
    <EmptyState
      title="No reports yet"
      picture="feedback"
      action={
        <Button variant="default" component={Link} to="/feedback/new">
          Write the first report
        </Button>
      }
    >
      Every error in Assay has a “Report this” that fills the form in. Programs report through the API.
    </EmptyState>
  )
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      title="No report is in this state"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filter
        </Button>
      }
    />
  )
}
