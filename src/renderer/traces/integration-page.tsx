import './traces.css'
import { Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { allows } from '../../contract/machine.ts'
import type { TraceIntegration } from '../../contract/traces/integrations.schemas.ts'
import { takesCredentials, traceIntegrationMachine } from '../../contract/traces/trace-integration.machine.ts'
import { call } from '../api/client.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { BackfillForm } from './backfill-form.tsx'
import { accessKeyBody, CredentialFields, isSaidByFields, keyPairBody, missingCredential, noCredentials } from './credential-fields.tsx'
import { providerWords } from './integration-words.ts'
import { IntegrationCard } from './integrations-page.tsx'
import { Resources } from './resources.tsx'
import { useIntegrations } from './traces.queries.ts'

const parent = { title: 'Trace integrations', to: '/traces/integrations' }

/** One project: what was read, and what else there is to read. */
export function IntegrationPage() {
  const { integrationId = '' } = useParams()
  const query = useIntegrations()
  return (
    <Page>
      <QueryView query={query} failure="Couldn’t load the integration" header={<PageHeader title="Integration" parent={parent} />}>
        {integrations => {
          const integration = integrations.find(({ id }) => id === integrationId)
          return integration ? <IntegrationView integration={integration} /> : <EmptyState title="Integration not found" />
        }}
      </QueryView>
    </Page>
  )
}

function IntegrationView({ integration }: { readonly integration: TraceIntegration }) {
  const { status } = integration
  const isReadable = status !== 'disconnected' && status !== 'attention'
  return (
    <>
      <PageHeader title={integration.name} parent={parent} />
      <div className="stack" style={{ gap: 24 }}>
        <IntegrationCard integration={integration} />
        {takesCredentials(status) ? <Reconnect integration={integration} /> : null}
        {allows(traceIntegrationMachine, status, 'backfill') ? (
          <Section title="Read traces">
            <BackfillForm integrationId={integration.id} />
          </Section>
        ) : null}
        {isReadable ? <Resources integration={integration} /> : null}
      </div>
    </>
  )
}

function Reconnect({ integration }: { readonly integration: TraceIntegration }) {
  const client = useQueryClient()
  const [typed, setTyped] = useState(noCredentials)
  const provider = providerWords.find(({ slot }) => slot === integration.provider)
  const params = { integration_id: integration.id }
  const reconnect = useMutation({
    mutationFn: () => {
      const full = { ...typed, address: integration.base_url }
      return integration.provider === 'provider-a'
        ? call('reconnectTraceIntegration', { params, body: keyPairBody(full) })
        : call('reconnectWorkloadTraceIntegration', { params, body: accessKeyBody(full) })
    },
    onSuccess: () => {
      setTyped(noCredentials)
      return client.invalidateQueries({ queryKey: ['traces'] })
    },
  })
  if (!provider) return null
  const label = integration.status === 'attention' ? 'Reconnect' : 'Replace key'
  return (
    <Section title={label}>
      <form
        className="traces-form"
        onSubmit={event => {
          event.preventDefault()
          reconnect.mutate()
        }}
      >
        <CredentialFields
          provider={provider}
          value={typed}
          onChange={setTyped}
          error={reconnect.error}
          fixedAddress={integration.base_url}
        />
        {reconnect.error && !isSaidByFields(reconnect.error) ? (
          <ErrorState error={reconnect.error} title={`Couldn’t ${label.toLowerCase()}`} reportable={false} />
        ) : null}
        <Group justify="flex-end">
          <ReasonedButton
            type="submit"
            loading={reconnect.isPending}
            blocked={missingCredential(provider, { ...typed, address: integration.base_url })}
          >
            {label}
          </ReasonedButton>
        </Group>
      </form>
    </Section>
  )
}
