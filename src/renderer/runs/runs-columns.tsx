import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { AnnotationSummary } from '../annotations/annotation-summary.tsx'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import type { Column } from '../ui/table/column.ts'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { PinnedMark } from './pinned-mark.tsx'
import { RunHeadline } from './run-headline.tsx'
import { presentStatus, whyStopped } from './follow-up.ts'
import { spentOf } from './spent.ts'
import { runningTime } from './run-times.ts'
import { usePolledRun } from './runs.queries.ts'

/** With tags and ticks they fit into a window of 1280 pixels. */
export const runsColumns: readonly Column<Run>[] = [
  {
    id: 'name',
    title: 'Run',
    width: 152,
    grow: true,
    rowHeader: true,
    sortable: true,
    cell: run => (
      <span className="runs-lines" title={showHidden(run.name)}>
        <Anchor component={Link} to={`/runs/${run.id}`} fz="inherit" c="inherit">
          {run.pinned_at === null ? null : <PinnedMark isShort />}
          <UntrustedText text={run.name} layout="prose" />
        </Anchor>
      </span>
    ),
  },
  { id: 'status', title: 'Status', width: 118, cell: run => <LiveStatus run={run} /> },
  { id: 'score', title: 'Score', width: 256, sortable: true, cell: run => <RunHeadline run={run} /> },
  {
    id: 'model',
    title: 'Model',
    width: 116,
    cell: run => <Lines text={run.model.title} />,
  },
  {
    id: 'benchmarks',
    title: 'Benchmark',
    width: 126,
    cell: run => <Profiles names={run.profiles.map(profileName)} />,
  },
  {
    id: 'annotations',
    title: 'Tags',
    width: 132,
    cell: run => <AnnotationSummary annotations={run.annotations} most={run.annotations.bookmarked || run.annotations.notes > 0 ? 1 : 2} />,
  },
  {
    id: 'samples',
    title: 'Samples',
    width: 80,
    align: 'end',
    hiddenAtFirst: true,
    sortable: true,
    cell: run => formatCount(run.progress.frozen),
  },
  {
    id: 'spent',
    title: 'Spent',
    width: 92,
    align: 'end',
    hiddenAtFirst: true,
    cell: run => <Money microUsd={spentOf(run)} />,
  },
  {
    id: 'created',
    title: 'Submitted',
    width: 102,
    sortable: true,
    cell: run => <RelativeTime at={run.created_at} />,
  },
  {
    id: 'took',
    title: 'Took',
    width: 96,
    align: 'end',
    hiddenAtFirst: true,
    cell: run => formatDuration(runningTime(run)),
  },
]

function LiveStatus({ run }: { readonly run: Run }) {
  const now = usePolledRun(run)
  return <StatusBadge status={presentStatus(now)} title={whyStopped(now)?.message} />
}

/** A list cut at its end would read as a profile of its first benchmark: the first, and apart from it how many more. */
function Profiles({ names: [first = '', ...others] }: { readonly names: readonly string[] }) {
  if (others.length === 0) return <Lines text={first} />
  return (
    <span className="runs-cell">
      <Lines text={first} whole={[first, ...others].join(', ')} />
      <span>+{others.length}</span>
    </span>
  )
}

/** Names as a window of 1280 pixels has room for: on two lines. */
function Lines({ text, whole = text }: { readonly text: string; readonly whole?: string }) {
  return (
    <span className="runs-lines" title={showHidden(whole)}>
      <UntrustedText text={text} layout="prose" />
    </span>
  )
}
