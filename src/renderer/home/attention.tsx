import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import type { DecisionListItem } from '../../contract/releases/decisions.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { TraceIntegration } from '../../contract/traces/integrations.schemas.ts'
import { connectionKey } from '../connections/models.ts'
import { useConnections } from '../connections/models.queries.ts'
import { awaitedDecisionsQuery } from '../releases/releases.queries.ts'
import { decisionStatuses } from '../releases/releases-words.ts'
import { useIntegrations } from '../traces/traces.queries.ts'
import { Section } from '../ui/page/page-header.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { connectionStatus, integrationStatuses, pauseStatuses, runStatuses, type Status } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

interface Matter {
  readonly to: string
  readonly title: string
  readonly why: string
  readonly status: Status
}

/** What needs a human. Not shown while nothing does. */
export function Attention({ runs }: { readonly runs: readonly Run[] }) {
  const connections = useConnections().data ?? []
  const integrations = useIntegrations().data ?? []
  const decisions = useQuery(awaitedDecisionsQuery).data ?? []
  const matters = [
    ...decisions.map(ofDecision),
    ...connections.filter(needsAttention).map(ofConnection),
    ...integrations.filter(({ status }) => status === 'attention').map(ofIntegration),
    ...runs.filter(run => run.status === 'failed' || run.pause?.code === 'internal_error' || run.pause?.code === 'paused').map(ofRun),
  ]
  if (matters.length === 0) return null
  return (
    <Section title="Needs you">
      <ul className="home-list">
        {matters.map(({ to, title, why, status }) => (
          <li key={to}>
            <div className="home-list-main">
              <Anchor component={Link} to={to} inherit>
                {title}
              </Anchor>
              <div className="quiet small">
                <UntrustedText text={why} layout="prose" />
              </div>
            </div>
            <StatusBadge status={status} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function needsAttention({ status }: Connection): boolean {
  return status === 'failing' || status === 'unchecked'
}

function ofConnection(connection: Connection): Matter {
  const { id, name, status, last_check } = connection
  const why = status === 'failing' && last_check ? last_check.message : 'Check it before it can be quoted.'
  return { to: `/models?open=${encodeURIComponent(connectionKey(id))}`, title: name, why, status: connectionStatus(connection) }
}

function ofDecision({ id, name, candidate, baseline, status }: DecisionListItem): Matter {
  const against = baseline === null ? '' : ` against ${baseline}`
  return { to: `/releases/${id}`, title: name, why: `${candidate}${against}: approve or reject.`, status: decisionStatuses[status] }
}

function ofIntegration({ id, name, status, last_error }: TraceIntegration): Matter {
  return {
    to: `/traces/integrations/${id}`,
    title: name,
    why: last_error?.message ?? 'The provider refused the key. Reconnect to continue.',
    status: integrationStatuses[status],
  }
}

function ofRun({ id, name, status, stop_reason, pause }: Run): Matter {
  return {
    to: `/runs/${id}`,
    title: name,
    why: pause?.message ?? stop_reason?.message ?? 'The run ended without a usable score.',
    status: pause ? pauseStatuses[pause.code] : runStatuses[status],
  }
}
