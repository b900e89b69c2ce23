import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { TuneArm, TuneGroup } from '../../contract/index.ts'
import { formatDifferenceInterval } from '../../lib/format/percent.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Estimate, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { armStatus, costPerCase } from './tuning-words.ts'

const columns: readonly Column<TuneArm>[] = [
  {
    id: 'label',
    title: 'Arm',
    width: 130,
    rowHeader: true,
    cell: ({ label, run_id: runId, run_status: status }) =>
      status === 'deleted' ? (
        <UntrustedText text={label} layout="prose" />
      ) : (
        <Anchor component={Link} to={`/runs/${runId}`} fz="inherit">
          <UntrustedText text={label} layout="prose" />
        </Anchor>
      ),
  },
  {
    id: 'verdict',
    title: 'Verdict',
    width: 240,
    grow: true,
    cell: arm => (
      <>
        <StatusBadge status={armStatus(arm)} />
        {arm.unreachable ? (
          <div className="small">
            <UntrustedText text={arm.unreachable.message} layout="prose" /> Gives up <RelativeTime at={arm.unreachable.until} />.
          </div>
        ) : null}
        {arm.run_status === 'stopped_early' ? <div className="quiet small">Stopped early</div> : null}
        {arm.detail === null ? null : (
          <div className="quiet small">
            <UntrustedText text={arm.detail} layout="prose" />
          </div>
        )}
      </>
    ),
  },
  { id: 'quality', title: 'Quality', width: 230, align: 'end', cell: ({ quality }) => <Estimate estimate={quality} /> },
  { id: 'missing', title: 'No score', width: 80, align: 'end', cell: ({ missing }) => missing },
  {
    id: 'difference',
    title: 'Difference from current',
    width: 200,
    align: 'end',
    cell: ({ difference }) => (difference === null ? <span className="quiet">–</span> : formatDifferenceInterval(difference)),
  },
  { id: 'cost', title: 'Cost per case', width: 110, align: 'end', cell: arm => costPerCase(arm.cost_per_case_microusd) },
]

export function RaceArms({ group }: { readonly group: TuneGroup }) {
  return <PlainTable label={`Arms of group ${group.number}`} columns={columns} rows={group.arms} rowId={({ label }) => label} />
}
