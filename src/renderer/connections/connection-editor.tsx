import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { quoteAddress } from '../catalog/catalog-links.ts'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { connectionStatus } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { CheckResult } from './check-result.tsx'
import { KeyField, LimitFields } from './connection-fields.tsx'
import { RateFields } from './rate-fields.tsx'
import { clearsSecret, copyOf, emptyForm, formOf, keepsSecret } from './connection-form.ts'
import { ConnectionStart } from './connection-start.tsx'
import { EndpointFields, ProtocolFields } from './endpoint-fields.tsx'
import { Folded } from './folded-fields.tsx'
import { HeaderFields } from './header-fields.tsx'
import { ProposedAddress } from './proposed-address.tsx'
import { CertificateField, RequestSettingsFields } from './request-settings-fields.tsx'
import { connectionKey } from './models.ts'
import { TryPrompt } from './try-prompt.tsx'
import { useSaveConnection } from './use-save-connection.ts'

interface ConnectionEditorProps {
  readonly stored: Connection | null
  /** What a new connection begins as a copy of. */
  readonly like?: Connection | undefined
  /** Called when a new connection is registered, before its check. */
  readonly onSaved?: (connection: Connection) => void
}

/** Fields that are never folded. */
const mainFields: ReadonlySet<string> = new Set(['name', 'base_url', 'model', 'api_key'])

/** The form for a connection, new or stored, with the check that follows each save. */
export function ConnectionEditor({ stored, like, onSaved }: ConnectionEditorProps) {
  const [form, setForm] = useState(() => (stored ? formOf(stored) : like ? copyOf(like) : emptyForm))
  const save = useSaveConnection(stored, like ?? null)
  const fields = {
    form,
    errors: save.errors,
    onChange: (change: Partial<typeof form>) => {
      setForm(before => ({ ...before, ...change }))
      save.correct(Object.keys(change))
    },
  }
  const isCopy = save.saved === null && like !== undefined && keepsSecret(form, like)
  const secret = { holder: isCopy ? like : save.saved, isCopy }
  const isRefused = Object.keys(save.errors).some(field => !mainFields.has(field))
  const submit = (given: typeof form): void => {
    void save.submit(given, connection => {
      setForm(before => ({ ...before, api_key: '', forget_key: false }))
      onSaved?.(connection)
    })
  }
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit(form)
      }}
      className="stack"
      style={{ gap: 24 }}
      noValidate
    >
      {save.saved ? null : <ConnectionStart {...fields} />}
      <Section title="Endpoint">
        <EndpointFields {...fields} holder={secret.holder} />
        <KeyField {...fields} {...secret} />
        {save.saved && clearsSecret(form, save.saved) ? (
          <Notice tone="warn" title="Another host: the stored key will be cleared">
            A key belongs to the host it was given for. Saving this address forgets the stored key and headers; type the key of the new host
            if it needs one.
          </Notice>
        ) : null}
      </Section>
      <Folded
        summary="Protocol, tests, headers, request settings, limits and rates"
        isSet={stored !== null || like !== undefined}
        isRefused={isRefused}
      >
        <div className="stack" style={{ gap: 24, paddingTop: 16 }}>
          <Section title="Protocol">
            <ProtocolFields form={form} onChange={fields.onChange} stored={save.saved} />
          </Section>
          <Section title="Extra headers">
            <HeaderFields {...fields} {...secret} />
            <CertificateField {...fields} />
          </Section>
          {form.protocol === 'agent_to_agent' ? null : (
            <Section title="Request settings">
              <RequestSettingsFields {...fields} />
            </Section>
          )}
          <Section title="Limits" aside={<span className="quiet small">Connections that share a key don’t share limits</span>}>
            <LimitFields {...fields} />
          </Section>
          <Section title="Rates, for estimates">
            <RateFields {...fields} />
          </Section>
        </div>
      </Folded>
      <FormActions>
        <Button type="submit" loading={save.busy} variant={save.saved?.status === 'ready' ? 'default' : 'filled'}>
          {save.saved ? 'Save and check' : 'Register and check'}
        </Button>
        <Button component={Link} to="/models" variant="default">
          {save.saved ? 'Back to models' : 'Cancel'}
        </Button>
        {save.saved ? <CheckBeside connection={save.saved} checking={save.checking} /> : null}
      </FormActions>
      {save.error ? <ErrorState error={save.error} title="Couldn’t save the connection" /> : null}
      {save.saved ? (
        <Outcome
          connection={save.saved}
          checking={save.checking}
          onUse={base_url => {
            setForm(before => ({ ...before, base_url }))
            submit({ ...form, base_url })
          }}
        />
      ) : null}
      {save.saved?.status === 'ready' && save.saved.capabilities.includes('chat') && save.saved.kind !== 'agent_to_agent' ? (
        <TryPrompt connection={save.saved} />
      ) : null}
    </form>
  )
}

/** The check's result in one line, beside the button that made it. */
function CheckBeside({ connection, checking }: { readonly connection: Connection; readonly checking: boolean }) {
  const { last_check: check } = connection
  if (!checking && !check) return null
  return (
    <output className="row">
      <StatusBadge status={checking ? { word: 'Checking', tone: 'running' } : connectionStatus(connection)} />
      {checking || !check ? null : (
        <span className="small">
          <UntrustedText text={check.message} layout="prose" />
          {check.latency_ms === null ? '' : ` Latency ${formatDuration(check.latency_ms)}`}
        </span>
      )}
    </output>
  )
}

interface OutcomeProps {
  readonly connection: Connection
  readonly checking: boolean
  /** Called with a base URL at which the endpoint answers. */
  readonly onUse: (address: string) => void
}

function Outcome({ connection, checking, onUse }: OutcomeProps) {
  const part = useRef<HTMLDivElement>(null)
  const former = useRef(checking)
  // Saving takes the first sections away, which would leave the result below the window.
  useEffect(() => {
    if (checking || former.current) part.current?.scrollIntoView({ block: 'nearest' })
    former.current = checking
  }, [checking])
  return (
    <div ref={part} className="connection-outcome">
      <OutcomeSection connection={connection} checking={checking} onUse={onUse} />
    </div>
  )
}

function OutcomeSection({ connection, checking, onUse }: OutcomeProps) {
  return (
    <Section title="Check" aside={<StatusBadge status={checking ? { word: 'Checking', tone: 'running' } : connectionStatus(connection)} />}>
      <output>{checking ? 'Small requests are on their way.' : <CheckResult connection={connection} />}</output>
      {checking ? null : <ProposedAddress connection={connection} onUse={onUse} />}
      <div className="row">
        {connection.status === 'ready' && !checking ? (
          <Button component={Link} to={quoteAddress({ connection: connection.id })}>
            New run with this model
          </Button>
        ) : null}
        <Button component={Link} to={`/models?open=${encodeURIComponent(connectionKey(connection.id))}`} variant="default">
          Show in models
        </Button>
      </div>
    </Section>
  )
}
