import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { MetricResult } from '../../contract/runs/results.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { SampleGroups } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { call } from '../api/client.ts'
import { isAtRest } from '../runs/follow-up.ts'
import { RegradeDialog } from '../runs/regrade-dialog.tsx'
import { groupNotices, groupWords } from '../samples/sample-groups.ts'
import { Notice } from '../ui/states/notice.tsx'
import { belowChance } from './headline-metrics.ts'

interface WhyWrongProps {
  readonly run: Run
  readonly metrics: readonly MetricResult[]
  /** Absent where they could not be read. */
  readonly groups: SampleGroups | undefined
}

export function useSampleGroups(run: Run) {
  return useQuery({
    queryKey: ['samples', run.id, run.result_version, 'groups'],
    queryFn: ({ signal }) => call('getSampleGroups', { params: { run_id: run.id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Why samples have no point: groups as links to their samples, and what to change where one of them is large. */
export function WhyWrong({ run, metrics, groups }: WhyWrongProps) {
  return (
    <>
      {belowChance(metrics).map(metric => (
        <Notice key={metric.profile_id} tone="warn" title="Below chance">
          {formatPercent(metric.estimate.mean ?? 0)} is significantly below the {formatPercent(metric.chance_level ?? 0)} of guessing. Look
          for answers read as another choice, choices in another order, or a wrong answer key.
        </Notice>
      ))}
      {groups ? <Groups run={run} data={groups} /> : null}
    </>
  )
}

function Groups({ run, data }: { readonly run: Run; readonly data: SampleGroups }) {
  const [regrading, setRegrading] = useState(false)
  // The strip's legend links to those that are wrong and no more.
  if (data.groups.every(({ group }) => group === 'wrong' || group === 'partial')) return null
  const address = (group: string, code: string | null): string =>
    `/runs/${run.id}/samples?${new URLSearchParams(code === null ? { group } : { group, group_code: code })}`
  return (
    <>
      {groupNotices(data).map(({ group, title, advice, regrade }) => (
        <Notice key={group} tone="warn" title={title}>
          {advice}{' '}
          <Anchor component={Link} to={address(group, null)} inherit underline="always">
            Show them
          </Anchor>
          {regrade && isAtRest(run) ? (
            <>
              {' '}
              <Button size="compact-xs" variant="default" onClick={() => setRegrading(true)}>
                {regrade}
              </Button>
            </>
          ) : null}
        </Notice>
      ))}
      <nav className="results-groups" aria-label="Why samples are not correct">
        <span className="quiet small">Not correct:</span>
        {data.groups.map(({ group, code, count }) => (
          <Link key={`${group} ${code}`} className="results-group num" to={address(group, code)}>
            {formatCount(count)} {showHidden(groupWords(group, code))}
          </Link>
        ))}
      </nav>
      {regrading ? <RegradeDialog run={run} opened changing onClose={() => setRegrading(false)} /> : null}
    </>
  )
}
