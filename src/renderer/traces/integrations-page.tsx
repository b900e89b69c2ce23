import './traces.css'
import { Anchor, Button, Progress } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { allows } from '../../contract/machine.ts'
import type { TraceIntegration } from '../../contract/traces/integrations.schemas.ts'
import { takesCredentials, traceIntegrationMachine } from '../../contract/traces/trace-integration.machine.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { integrationStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useNow } from '../ui/values/use-now.ts'
import { describeBackfill } from './integration-words.ts'
import { type IntegrationStep, useIntegrations, useIntegrationStep } from './traces.queries.ts'

/** One card for each connected project. */
export function IntegrationsPage() {
  const query = useIntegrations()
  return (
    <Page>
      <PageHeader
        title="Trace integrations"
        parent={{ title: 'Traces', to: '/traces' }}
        actions={
          <>
            <RequestMenu operation="listTraceIntegrations" request={{}} />
            <Button component={Link} to="/traces/integrations/new">
              Connect a provider
            </Button>
          </>
        }
      />
      <QueryView query={query} failure="Couldn’t load integrations">
        {integrations =>
          integrations.length === 0 ? (
            <EmptyState
              title="No integrations yet"
              action={
                <Button variant="default" component={Link} to="/traces/integrations/new">
                  Connect a provider
                </Button>
              }
            >
              Read traces, datasets and experiments from Langfuse, LangSmith or Braintrust.
            </EmptyState>
          ) : (
            <ul className="traces-cards">
              {integrations.map(integration => (
                <li key={integration.id}>
                  <IntegrationCard integration={integration} titled />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Page>
  )
}

/** Status, window, speed, time left, and what to do. */
export function IntegrationCard({ integration, titled = false }: { readonly integration: TraceIntegration; readonly titled?: boolean }) {
  const { id, name, provider_name, project, status, base_url, backfill, last_error, deprecation, credential_hint } = integration
  const step = useIntegrationStep(integration)
  const now = useNow(1_000)
  const [leaving, setLeaving] = useState(false)
  const take = (wanted: IntegrationStep) =>
    step.mutate(wanted, { onError: error => notifyFailed(`Couldn’t ${wanted} the integration`, error) })
  const may = (event: keyof typeof traceIntegrationMachine.events) => allows(traceIntegrationMachine, status, event)
  const day = (time: string) => time.slice(0, 16).replace('T', ' ')
  return (
    <article className="traces-card" aria-label={name}>
      <header>
        <div className="row">
          {titled ? (
            <h2>
              <Anchor component={Link} to={`/traces/integrations/${id}`} inherit>
                <UntrustedText text={name} layout="inline" />
              </Anchor>
            </h2>
          ) : null}
          <StatusBadge status={integrationStatuses[status]} />
        </div>
        <div className="row">
          {may('pause') ? (
            <Button variant="default" size="xs" onClick={() => take('pause')}>
              Pause
            </Button>
          ) : null}
          {may('resume') ? (
            <Button size="xs" onClick={() => take('resume')}>
              Resume
            </Button>
          ) : null}
          {takesCredentials(status) ? (
            <Button variant={status === 'attention' ? 'filled' : 'default'} size="xs" component={Link} to={`/traces/integrations/${id}`}>
              {status === 'attention' ? 'Reconnect' : 'Replace key'}
            </Button>
          ) : null}
          {may('disconnect') ? (
            <Button variant="default" size="xs" onClick={() => setLeaving(true)}>
              Disconnect
            </Button>
          ) : null}
        </div>
      </header>
      <div className="quiet small">
        {provider_name} ·{' '}
        <UntrustedText text={project.workspace ? `${project.workspace} / ${project.name}` : project.name} layout="inline" /> ·{' '}
        <span className="mono">{base_url}</span>
        {credential_hint === null ? null : ` · key …${credential_hint}`}
      </div>
      {backfill ? (
        <div>
          <div>
            {backfill.finished_at === null ? 'Backfill' : 'Last backfill'} {day(backfill.from)} to {day(backfill.to)} UTC:{' '}
            {describeBackfill(backfill, status, now)}
            {backfill.follow ? '; follows every 15 min' : ''}
          </div>
          {backfill.finished_at === null && backfill.fraction !== null ? (
            <Progress value={backfill.fraction * 100} aria-label="Share of the window that is read" mt={6} />
          ) : null}
        </div>
      ) : (
        <div className="quiet">No traces read yet.</div>
      )}
      {last_error ? (
        <Notice
          tone={status === 'attention' ? 'human' : 'fail'}
          title={status === 'attention' ? 'Reconnect to continue' : 'Last backfill failed'}
        >
          <UntrustedText text={last_error.message} layout="prose" />
        </Notice>
      ) : null}
      {deprecation ? (
        <Notice tone="warn" title="Deprecated endpoint">
          <UntrustedText text={deprecation.message} layout="prose" />
          {deprecation.sunset_at === null ? '' : ` It ends on ${deprecation.sunset_at.slice(0, 10)}.`}
        </Notice>
      ) : null}
      <ConfirmDialog
        opened={leaving}
        onClose={() => setLeaving(false)}
        title={`Disconnect ${name}?`}
        action="Disconnect"
        onConfirm={() => step.mutateAsync('disconnect')}
      >
        The stored key is erased. Traces and examples that were read stay.
      </ConfirmDialog>
    </article>
  )
}
