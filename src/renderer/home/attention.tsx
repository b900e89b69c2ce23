import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import type { Package } from '../../contract/creator/packages.schemas.ts'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import type { DecisionListItem } from '../../contract/releases/decisions.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { TraceIntegration } from '../../contract/traces/integrations.schemas.ts'
import type { TuneMonitor } from '../../contract/tuning/monitors.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { connectionKey } from '../connections/models.ts'
import { useConnections } from '../connections/models.queries.ts'
import { packageStatuses } from '../creator/creator-words.ts'
import { awaitedDecisionsQuery } from '../releases/releases.queries.ts'
import { decisionStatuses } from '../releases/releases-words.ts'
import { useIntegrations } from '../traces/traces.queries.ts'
import { monitorsQuery } from '../tuning/tuning.queries.ts'
import { checkFailed, verdictStatuses } from '../tuning/tuning-words.ts'
import { Section } from '../ui/page/page-header.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { connectionStatus, integrationStatuses, pauseStatuses, runStatuses, type Status } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { datasetsInReviewQuery, packagesInReviewQuery } from './home.queries.ts'

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
  const packages = useQuery(packagesInReviewQuery).data ?? []
  const datasets = useQuery(datasetsInReviewQuery).data ?? []
  const monitors = useQuery(monitorsQuery).data ?? []
  const matters = [
    ...decisions.map(ofDecision),
    ...monitors.filter(hasAlarm).map(ofMonitor),
    ...packages.map(ofPackage),
    ...datasets.map(ofDataset),
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

/** Until its next check, or until it is archived. */
function hasAlarm({ status, last_verdict, last_occurrence }: TuneMonitor): boolean {
  return status !== 'archived' && (last_verdict === 'regression' || last_occurrence?.status === 'failed')
}

function ofMonitor({ id, name, last_occurrence: last }: TuneMonitor): Matter {
  const failed = last?.status === 'failed'
  return {
    to: `/tuning/monitors/${id}`,
    title: showHidden(name),
    why: failed ? 'Its last check failed.' : 'Worse than its baseline in the last check.',
    status: failed ? checkFailed : verdictStatuses.regression,
  }
}

function ofPackage({ id, title, version, status, tasks }: Package): Matter {
  const size = tasks === null ? '' : ` with ${formatCount(tasks)} tasks`
  return {
    to: `/creator/packages/${id}`,
    title: showHidden(title),
    why: `Benchmark package, version ${version}${size}: approve or reject.`,
    status: packageStatuses[status],
  }
}

function ofDataset({ id, name, counts: { in_review: n } }: Dataset): Matter {
  return {
    to: `/datasets/${id}/review`,
    title: showHidden(name),
    why: n === 1 ? '1 example to review.' : `${formatCount(n)} examples to review.`,
    status: { word: 'In review', tone: 'human' },
  }
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
