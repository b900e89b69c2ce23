import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { connectionMachine } from '../../contract/connections/connection.machine.ts'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { describeRequestSettings } from '../../contract/connections/request-settings.schemas.ts'
import { allows } from '../../contract/machine.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { quoteAddress } from '../catalog/catalog-links.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyDone } from '../ui/page/notify.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { ExternalAddress } from '../ui/values/external-address.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { connectionStatus } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { CheckResult } from './check-result.tsx'
import { otherKeyHolders } from './connection-form.ts'
import { useCheckConnection, useConnections, useDisableConnection } from './models.queries.ts'
import { ProposedAddress } from './proposed-address.tsx'
import { protocolWords } from './protocols.ts'
import { RatesText } from './rates-text.tsx'

export function ConnectionDetails({ connection }: { readonly connection: Connection }) {
  const check = useCheckConnection()
  const { limits } = connection
  const settings = describeRequestSettings(connection.request_settings)
  return (
    <>
      <div className="row">
        <StatusBadge status={connectionStatus(connection)} />
        <ConnectionActions connection={connection} checking={check.isPending} onCheck={() => check.mutate(connection.id)} />
      </div>
      {check.isError ? <ErrorState error={check.error} title="Couldn’t check the connection" /> : null}
      <Section title="Last check">
        <CheckResult connection={connection} />
        <ProposedAddress connection={connection} />
      </Section>
      <Section title="Facts">
        <KeyValues
          items={{
            Address: <ExternalAddress address={connection.base_url} />,
            Protocol: protocolWords[connection.protocol],
            'Can be used for': connection.capabilities.join(', '),
            Model: <UntrustedText text={connection.model} layout="inline" />,
            Key: connection.has_api_key ? 'stored, encrypted, never shown' : 'none',
            Headers: connection.header_names.length > 0 ? `${connection.header_names.join(', ')} (values stored encrypted)` : null,
            Streaming: connection.streaming ? 'on' : 'off',
            'CA certificates': connection.ca_certificates === null ? null : 'trusted for this connection',
            Rates: <RatesText rates={connection.rates} />,
            Id: <Identifier value={connection.id} what="connection id" />,
            Changed: <RelativeTime at={connection.updated_at} />,
          }}
        />
      </Section>
      {settings.length === 0 ? null : (
        <Section title="Request settings">
          <KeyValues
            items={Object.fromEntries(settings.map(({ name, value }) => [name, <UntrustedText key={name} text={value} layout="inline" />]))}
          />
        </Section>
      )}
      <Section title="Limits">
        <KeyValues
          items={{
            'Max concurrency': formatCount(limits.max_concurrency),
            'When throttled': limits.on_throttle === 'adapt' ? 'slows down and waits' : 'fails the sample',
            'Request timeout': formatDuration(limits.attempt_timeout_ms),
            'Requests per minute': limits.requests_per_minute === null ? 'no limit stated' : formatCount(limits.requests_per_minute),
            'Tokens per minute': limits.tokens_per_minute === null ? 'no limit stated' : formatCount(limits.tokens_per_minute),
            'Context tokens': contextText(limits.context_tokens, connection.last_check?.context_tokens ?? null),
            'Max output tokens': limits.max_output_tokens === null ? 'not known' : `${formatCount(limits.max_output_tokens)} tokens`,
          }}
        />
      </Section>
    </>
  )
}

interface ActionsProps {
  readonly connection: Connection
  readonly checking: boolean
  readonly onCheck: () => void
}

function ConnectionActions({ connection, checking, onCheck }: ActionsProps) {
  const disable = useDisableConnection()
  const [asking, setAsking] = useState(false)
  const { status, id, name } = connection
  const others = otherKeyHolders(connection, useConnections().data ?? [])
  const confirm = async (): Promise<void> => {
    await disable.mutateAsync(id)
    notifyDone(`${name} is deleted.`)
  }
  if (!allows(connectionMachine, status, 'disable')) return null
  return (
    <>
      {status === 'ready' ? (
        <Button component={Link} to={quoteAddress({ connection: id })} size="xs">
          New run with this model
        </Button>
      ) : null}
      <Button size="xs" variant="default" loading={checking} onClick={onCheck}>
        Check now
      </Button>
      <Button component={Link} to={`/models/connections/${id}`} size="xs" variant="default">
        Edit
      </Button>
      <Button component={Link} to={`/models/connections/new?like=${id}`} size="xs" variant="default">
        Duplicate
      </Button>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        action="Delete connection"
        onConfirm={confirm}
      >
        Its stored key is deleted and runs that use it stop. Their results are kept, and so is its name, as deleted. This cannot be undone.
        {others.length > 0 ? ` Keys of the same host stay stored in ${others.map(showHidden).join(', ')}.` : ''}
      </ConfirmDialog>
    </>
  )
}

function contextText(stated: number | null, served: number | null): string {
  if (stated !== null) return formatCount(stated)
  return served === null ? 'not known, so not checked' : `${formatCount(served)}, as the server said at its check`
}
