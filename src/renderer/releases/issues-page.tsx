import './releases.css'
import { Button, Modal, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { allows } from '../../contract/machine.ts'
import { issueMachine } from '../../contract/releases/issue.machine.ts'
import type { Issue } from '../../contract/releases/issues.schemas.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useIssues, useReportIssue } from './releases.queries.ts'
import { ReleasesTabs } from './releases-tabs.tsx'
import { issueStatuses, severityOptions, severityWords } from './releases-words.ts'

const severities = ['critical', 'high', 'medium', 'low'] as const
const reasons = [
  { value: 'verified', label: 'Verified' },
  { value: 'wont_fix', label: 'Won’t fix' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'invalid', label: 'Invalid' },
] as const

const columns = (onClose: (issue: Issue) => void): readonly Column<Issue>[] => [
  {
    id: 'title',
    title: 'Issue',
    width: 260,
    grow: true,
    rowHeader: true,
    cell: ({ title }) => <UntrustedText text={title} layout="prose" />,
  },
  { id: 'severity', title: 'Severity', width: 100, cell: ({ severity }) => severityWords[severity] },
  { id: 'status', title: 'Status', width: 130, cell: ({ status }) => <StatusBadge status={issueStatuses[status]} /> },
  { id: 'tasks', title: 'Tasks', width: 70, align: 'end', cell: ({ tasks }) => tasks.length },
  { id: 'result', title: 'Last result', width: 100, cell: ({ last_result: result }) => result ?? '–' },
  { id: 'changed', title: 'Changed', width: 120, cell: issue => <RelativeTime at={issue.updated_at} /> },
  {
    id: 'close',
    title: 'Action',
    width: 100,
    cell: issue =>
      allows(issueMachine, issue.status, 'close') ? (
        <Button size="compact-xs" variant="default" aria-label={`Close: ${issue.title}`} onClick={() => onClose(issue)}>
          Close
        </Button>
      ) : null,
  },
]

export function IssuesPage() {
  const query = useIssues()
  const [opening, setOpening] = useState(false)
  const [closing, setClosing] = useState<Issue | null>(null)
  return (
    <Page>
      <PageHeader
        title="Issues"
        description="What must not come back. Policies count them, suites cover their tasks."
        actions={
          <>
            <RequestMenu operation="listIssues" request={{}} />
            <Button onClick={() => setOpening(true)}>Report issue</Button>
          </>
        }
      />
      <ReleasesTabs />
      <QueryView query={query} failure="Couldn’t load the issues">
        {issues =>
          issues.length === 0 ? (
            <EmptyState
              title="No issues yet"
              picture="issues"
              action={
                <Button variant="default" onClick={() => setOpening(true)}>
                  Report issue
                </Button>
              }
            >
              Report what went wrong in production, and link the tasks that show it.
            </EmptyState>
          ) : (
            <PlainTable label="Issues" columns={columns(setClosing)} rows={issues} rowId={issue => issue.id} />
          )
        }
      </QueryView>
      {opening ? <OpenDialog onClose={() => setOpening(false)} /> : null}
      {closing ? <CloseDialog issue={closing} onClose={() => setClosing(null)} /> : null}
    </Page>
  )
}

function OpenDialog({ onClose }: { readonly onClose: () => void }) {
  const report = useReportIssue()
  const [title, setTitle] = useState('')
  const [severity, setSeverity] = useState<Issue['severity']>('high')
  const [note, setNote] = useState('')
  return (
    <Modal opened onClose={onClose} title="Report issue">
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          if (title.trim() === '') return
          report.mutate({ type: 'open', title: title.trim(), severity, ...(note === '' ? {} : { note }) }, { onSuccess: onClose })
        }}
      >
        <TextInput label="Title" required maxLength={200} {...textField(title, setTitle)} />
        <Select
          label="Severity"
          data={severityOptions}
          value={severity}
          onChange={value => setSeverity(severities.find(one => one === value) ?? 'high')}
        />
        <Textarea label="Note" autosize minRows={2} maxLength={5000} {...textField(note, setNote)} />
        {report.isError ? <ErrorState error={report.error} title="Couldn’t report the issue" /> : null}
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={report.isPending} disabled={title.trim() === ''}>
            Report issue
          </Button>
        </DialogActions>
      </form>
    </Modal>
  )
}

function CloseDialog({ issue, onClose }: { readonly issue: Issue; readonly onClose: () => void }) {
  const report = useReportIssue()
  const [reason, setReason] = useState<(typeof reasons)[number]['value']>('verified')
  return (
    <Modal opened onClose={onClose} title="Close issue">
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          report.mutate({ type: 'close', issue_id: issue.id, reason }, { onSuccess: onClose })
        }}
      >
        <UntrustedText text={issue.title} layout="prose" />
        <Select
          label="Reason"
          data={[...reasons]}
          value={reason}
          onChange={value => setReason(reasons.find(one => one.value === value)?.value ?? 'verified')}
        />
        {report.isError ? <ErrorState error={report.error} title="Couldn’t close the issue" /> : null}
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={report.isPending}>
            Close issue
          </Button>
        </DialogActions>
      </form>
    </Modal>
  )
}
