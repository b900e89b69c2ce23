import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { runStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { decisionStatuses } from './releases-words.ts'

interface Entry {
  readonly key: string
  readonly at: string | null
  readonly text: ReactNode
}

/** What happened to a decision, in order. */
export function DecisionTimeline({ decision }: { readonly decision: Decision }) {
  const entries: Entry[] = [
    { key: 'planned', at: decision.created_at, text: `Planned by ${decision.created_by.name}` },
    ...decision.evaluations.map(
      (evaluation, i): Entry => ({
        key: `evaluation-${i}`,
        at: null,
        text: (
          <>
            {evaluation.purpose === 'confirm' ? 'Critical tasks repeated' : 'Evaluation'}: {evaluation.side}, {evaluation.group}{' '}
            {evaluation.status === null ? 'not started' : <StatusBadge status={runStatuses[evaluation.status]} />}{' '}
            {evaluation.run_id === null ? null : (
              <Anchor component={Link} to={`/runs/${evaluation.run_id}`} fz="inherit">
                Open run
              </Anchor>
            )}
            {evaluation.seen_before_plan ? <span className="quiet"> · seen before the plan</span> : null}
          </>
        ),
      }),
    ),
    ...decision.labels.map(
      (label): Entry => ({
        key: label.id,
        at: label.created_at,
        text: (
          <>
            {label.by.name}: {label.verdict}
            {label.override ? ' (override)' : ''}
            {label.rationale === '' ? null : (
              <>
                {' – '}
                <UntrustedText text={label.rationale} layout="prose" />
              </>
            )}
          </>
        ),
      }),
    ),
    ...(decision.closed_at === null
      ? []
      : [{ key: 'closed', at: decision.closed_at, text: <StatusBadge status={decisionStatuses[decision.status]} /> }]),
  ]
  return (
    <ol className="releases-timeline">
      {entries.map(({ key, at, text }) => (
        <li key={key}>
          <span className="quiet small">{at === null ? '' : <RelativeTime at={at} />}</span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  )
}
