import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { Notice } from '../ui/states/notice.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { isUnsettled, POLL_MS, runQuery } from './runs.queries.ts'

/** On the page of a part: whose part it is, and where its scores are. */
export function PartNotice({ run, whole }: { readonly run: Run; readonly whole: string }) {
  const ended = isTerminal(runMachine, run.status)
  const query = useQuery({
    ...runQuery(whole),
    // The scores are taken in a moment after the part has ended.
    refetchInterval: ({ state: { data } }) => (ended && data && isUnsettled(data) ? POLL_MS : false),
  })
  const version = query.data?.parts.find(part => part.run_id === run.id)?.result_version ?? null
  return (
    <Notice tone="neutral" title="Part of a run">
      This retries samples of{' '}
      <Anchor component={Link} to={`/runs/${whole}`} fz="inherit">
        {query.data ? <UntrustedText text={query.data.name} layout="prose" /> : 'another run'}
      </Anchor>{' '}
      . {whereScoresAre(version, ended, query.data !== undefined && !isUnsettled(query.data))}
      {version === null ? null : (
        <Anchor component={Link} to={`/runs/${whole}?version=${version}`} fz="inherit">
          version {version} of its result
        </Anchor>
      )}
      {version === null ? null : '.'}
    </Notice>
  )
}

function whereScoresAre(version: number | null, ended: boolean, settled: boolean): string {
  if (version !== null) return 'Its scores are in '
  if (!ended) return 'When it ends, its scores become the next version of that run’s result.'
  return settled ? 'No result took scores from it.' : 'Its scores are being taken into the result.'
}
