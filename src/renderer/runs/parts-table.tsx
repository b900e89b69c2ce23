import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Run, RunPart } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { runStatuses } from '../ui/values/statuses.ts'

const asked = { failed: 'Unscored samples', chosen: 'Selected samples' } as const

/** The parts of a run, newest first: retried samples, outcome, and the result version that includes them. */
export function PartsTable({ run }: { readonly run: Run }) {
  if (run.parts.length === 0) return null
  const columns: readonly Column<RunPart>[] = [
    {
      id: 'part',
      title: 'Part',
      width: 180,
      grow: true,
      rowHeader: true,
      cell: part => (
        <Anchor component={Link} to={`/runs/${part.run_id}`} fz="inherit">
          {asked[part.selection]}
        </Anchor>
      ),
    },
    { id: 'status', title: 'Status', width: 120, cell: part => <StatusBadge status={runStatuses[part.status]} /> },
    { id: 'samples', title: 'Samples', width: 80, align: 'end', cell: part => formatCount(part.samples) },
    {
      id: 'version',
      title: 'Result',
      width: 110,
      cell: part =>
        part.result_version === null ? (
          <span className="quiet">none</span>
        ) : (
          <Anchor component={Link} to={`/runs/${run.id}?version=${part.result_version}`} fz="inherit">
            version {part.result_version}
          </Anchor>
        ),
    },
    { id: 'created', title: 'Started', width: 120, cell: part => <RelativeTime at={part.created_at} /> },
  ]
  return (
    <Section title="Retries">
      <div className="runs-parts">
        <PlainTable label="Parts" columns={columns} rows={run.parts.toReversed()} rowId={part => part.run_id} />
      </div>
    </Section>
  )
}
