import { Anchor, Progress } from '@mantine/core'
import { Link } from 'react-router'
import type { TuneArm, TuneGroup } from '../../contract/tuning/race.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDifferenceInterval } from '../../lib/format/percent.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Estimate, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { armStatus, costPerCase, levelText, signedCost } from './tuning-words.ts'

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
    width: 210,
    grow: true,
    cell: arm => (
      <>
        <StatusBadge status={armStatus(arm)} />
        {arm.unreachable ? (
          <div className="small">
            <UntrustedText text={arm.unreachable.message} layout="prose" /> Gives up <RelativeTime at={arm.unreachable.until} />.
          </div>
        ) : null}
        {arm.detail === null ? null : (
          <div className="quiet small">
            <UntrustedText text={arm.detail} layout="prose" />
          </div>
        )}
        {arm.run_status === 'stopped_early' ? <div className="quiet small">Its run was stopped early.</div> : null}
      </>
    ),
  },
  { id: 'quality', title: 'Quality', width: 200, align: 'end', cell: ({ quality }) => <Estimate estimate={quality} /> },
  {
    id: 'difference',
    title: 'Difference',
    width: 190,
    align: 'end',
    cell: Difference,
  },
  {
    id: 'cost',
    title: 'Cost per case',
    width: 160,
    align: 'end',
    cell: ({ cost_per_case_microusd: cost, cost_difference_microusd: difference }) => (
      <>
        {costPerCase(cost)}
        {difference === null ? null : (
          <div className="quiet small">
            {signedCost(difference.mean)} vs current,
            <br />
            95 % bound {signedCost(difference.upper)}
          </div>
        )}
      </>
    ),
  },
]

/** By the bound of the arm's last look, which holds whenever the race stops; without a look, of all cases scored in both. */
function Difference({ looks, difference }: TuneArm) {
  const last = looks.at(-1)
  const shown = last?.difference ?? difference
  if (shown === null) return <span className="quiet">–</span>
  return (
    <>
      {formatDifferenceInterval(shown)}
      {shown.interval ? (
        <div className="quiet small">
          {levelText(shown.interval.level)} interval{last ? `, look ${last.look}` : ''}
        </div>
      ) : shown.reason ? (
        <div className="quiet small">
          <UntrustedText text={shown.reason} layout="prose" />
        </div>
      ) : null}
    </>
  )
}

/** How far each arm has come, looks aside. */
const runColumn = (cases: number): Column<TuneArm> => ({
  id: 'run',
  title: 'Cases run',
  width: 110,
  align: 'end',
  cell: ({ cases_run: done, missing, label }) => (
    <>
      {formatCount(done)} of {formatCount(cases)}
      <Progress
        value={(100 * done) / cases}
        size="xs"
        mt={4}
        aria-label={`${label}: ${formatCount(done)} of ${formatCount(cases)} cases run`}
      />
      {missing > 0 ? <div className="quiet small">{formatCount(missing)} without a score</div> : null}
    </>
  ),
})

export function RaceArms({ group }: { readonly group: TuneGroup }) {
  const [label, verdict, ...rest] = columns
  const all = [label, verdict, runColumn(group.cases), ...rest].filter(column => column !== undefined)
  return <PlainTable label={`Arms of group ${group.number}`} columns={all} rows={group.arms} rowId={({ label: name }) => name} />
}
