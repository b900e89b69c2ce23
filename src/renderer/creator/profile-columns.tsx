import { Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import type { PrivateProfile } from '../../contract/creator/packages.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { Column } from '../ui/table/column.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { CheckCounts } from './check-counts.tsx'
import { profileStatuses } from './creator-words.ts'

export const profileColumns: readonly Column<PrivateProfile>[] = [
  {
    id: 'title',
    title: 'Profile',
    width: 200,
    grow: true,
    rowHeader: true,
    cell: ({ title, benchmark_title }) => <UntrustedText text={`${benchmark_title} · ${title}`} layout="prose" />,
  },
  { id: 'id', title: 'Id', width: 280, cell: ({ profile_id }) => <span className="mono small">{profile_id}</span> },
  {
    id: 'tasks',
    title: 'Tasks',
    width: 72,
    align: 'end',
    cell: ({ task_count }) => <span className="num">{formatCount(task_count)}</span>,
  },
  {
    id: 'status',
    title: 'Status',
    width: 128,
    cell: ({ status, quote_availability }) => (
      <StatusBadge status={profileStatuses[status]} title={quote_availability.reasons.join(' ') || undefined} />
    ),
  },
  {
    id: 'checks',
    title: 'Checks',
    width: 152,
    cell: ({ checks, package: { id, name, version } }) => (
      <Anchor component={Link} to={`/creator/packages/${id}`} fz="inherit" c="inherit" title={`Checks of ${name} ${version}`}>
        <CheckCounts checks={checks} />
      </Anchor>
    ),
  },
  {
    id: 'quote',
    title: 'Quote',
    width: 96,
    cell: ({ profile_id, title, quote_availability }) =>
      quote_availability.status === 'ready_for_quote' ? (
        <Button
          size="compact-xs"
          variant="default"
          component={Link}
          to={`/quotes/new?profile=${encodeURIComponent(profile_id)}`}
          aria-label={`Quote ${title}`}
        >
          Quote
        </Button>
      ) : (
        <span className="quiet">–</span>
      ),
  },
]
