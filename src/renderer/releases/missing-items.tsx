import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Decision, MissingItem } from '../../contract/releases/decisions.schemas.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useRetryFailed } from './releases.queries.ts'
import { missingWords } from './releases-words.ts'

/** What a decision waits for, each with the button that supplies it. */
export function MissingItems({ decision }: { readonly decision: Decision }) {
  const retry = useRetryFailed()
  if (decision.missing.length === 0) return null
  return (
    <ul className="releases-missing" aria-label="Missing">
      {decision.missing.map((item, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- two items can say the same of two sides
        <li key={i}>
          <StatusBadge status={{ word: missingWords[item.code], tone: item.code === 'evaluation_running' ? 'running' : 'human' }} />
          <span>
            <UntrustedText text={item.message} layout="prose" />
          </span>
          <Supply item={item} decision={decision} retrying={retry.isPending} onRetry={runId => retry.mutate(runId)} />
        </li>
      ))}
      {retry.isError ? <ErrorState error={retry.error} title="Couldn’t retry the failed samples" /> : null}
    </ul>
  )
}

interface SupplyProps {
  readonly item: MissingItem
  readonly decision: Decision
  readonly retrying: boolean
  readonly onRetry: (runId: string) => void
}

function Supply({ item, decision, retrying, onRetry }: SupplyProps) {
  switch (item.code) {
    case 'evaluation_incomplete': {
      const runId = /\/runs\/([0-9a-f-]{36})/.exec(item.action.path)?.[1]
      return runId === undefined ? null : (
        <Button size="xs" variant="default" loading={retrying} onClick={() => onRetry(runId)}>
          Retry failed samples only
        </Button>
      )
    }
    case 'evaluation_running': {
      const run = decision.evaluations.find(({ status }) => status === 'running' || status === 'queued')
      return run?.run_id == null ? null : (
        <Button size="xs" variant="default" component={Link} to={`/runs/${run.run_id}`}>
          Watch run
        </Button>
      )
    }
    case 'labels':
      return (
        <Button size="xs" variant="default" component={Link} to={`/releases/${decision.id}/labels`}>
          Label samples
        </Button>
      )
    case 'calibration':
      return (
        <Button size="xs" variant="default" component={Link} to="/evaluators">
          Calibrate a judge
        </Button>
      )
    case 'credit':
      return (
        <Button size="xs" variant="default" component={Link} to="/workspace/wallet">
          Add credit
        </Button>
      )
    case 'human_verdict':
      return (
        <Button size="xs" variant="default" component="a" href="#verdict">
          Decide
        </Button>
      )
  }
}
