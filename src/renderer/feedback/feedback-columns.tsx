import type { FeedbackReport } from '../../contract/feedback/feedback.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import type { Column } from '../ui/table/column.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { feedbackStatuses, kindWords, severityWords } from './feedback-words.ts'

/** In the service's order, newest first; it offers no other. */
export const feedbackColumns: readonly Column<FeedbackReport>[] = [
  {
    id: 'summary',
    title: 'Report',
    width: 220,
    grow: true,
    rowHeader: true,
    cell: report => (
      <span title={showHidden(report.summary)}>
        <UntrustedText text={report.summary} layout="prose" />
      </span>
    ),
  },
  { id: 'status', title: 'Status', width: 120, cell: report => <StatusBadge status={feedbackStatuses[report.status]} /> },
  { id: 'kind', title: 'Kind', width: 130, cell: report => kindWords[report.kind] },
  { id: 'severity', title: 'Severity', width: 142, cell: report => severityWords[report.severity] },
  {
    id: 'route',
    title: 'Route',
    width: 190,
    cell: ({ attempted }) => <UntrustedText text={[attempted?.method, attempted?.path].filter(Boolean).join(' ')} layout="inline" />,
  },
  {
    id: 'code',
    title: 'Code',
    width: 120,
    hiddenAtFirst: true,
    cell: ({ attempted }) => <UntrustedText text={attempted?.error_code ?? ''} layout="inline" />,
  },
  {
    id: 'from',
    title: 'From',
    width: 120,
    hiddenAtFirst: true,
    cell: ({ agent, client }) => <UntrustedText text={agent?.name ?? client?.name ?? ''} layout="prose" />,
  },
  { id: 'sent', title: 'Sent', width: 112, cell: report => <RelativeTime at={report.created_at} /> },
]
