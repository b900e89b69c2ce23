import './evaluators.css'
import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { RemoteScorer, RemoteScorerWithSecret } from '../../contract/index.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useRemoteScorerActions, useRemoteScorers } from './evaluators.queries.ts'
import { EvaluatorsTabs } from './evaluators-tabs.tsx'
import { scorerStatuses } from './evaluators-words.ts'

export function RemoteScorersPage() {
  const query = useRemoteScorers()
  const [isNew, setNew] = useState(false)
  const [secret, setSecret] = useState<RemoteScorerWithSecret | null>(null)
  const open = (variant: 'filled' | 'default') => (
    <Button variant={variant} onClick={() => setNew(true)}>
      New remote scorer
    </Button>
  )
  return (
    <Page>
      <PageHeader
        title="Remote scorers"
        description="HTTP endpoints of your own that score outputs. Requests are signed."
        actions={
          <>
            <RequestMenu operation="listRemoteScorers" request={{ query: {} }} />
            {open('filled')}
          </>
        }
      />
      <EvaluatorsTabs />
      <QueryView query={query} failure="Couldn’t load remote scorers">
        {scorers =>
          scorers.length === 0 ? (
            <EmptyState title="No remote scorers yet" action={open('default')}>
              Register an endpoint that answers a score for each output it is sent.
            </EmptyState>
          ) : (
            <div className="evaluators-grid">
              {scorers.map(scorer => (
                <ScorerCard key={scorer.id} scorer={scorer} onSecret={setSecret} />
              ))}
            </div>
          )
        }
      </QueryView>
      <NewScorerDialog
        opened={isNew}
        onClose={() => setNew(false)}
        onMade={made => {
          setNew(false)
          setSecret(made)
        }}
      />
      <SecretDialog made={secret} onDone={() => setSecret(null)} />
    </Page>
  )
}

function ScorerCard({ scorer, onSecret }: { readonly scorer: RemoteScorer; readonly onSecret: (made: RemoteScorerWithSecret) => void }) {
  const { test, rotate, disable, enable } = useRemoteScorerActions()
  const [asks, setAsks] = useState<'rotate' | 'disable' | null>(null)
  const { last_test: last } = scorer
  return (
    <section className="evaluators-card" aria-label={scorer.name}>
      <div className="row" style={{ justifyContent: 'space-between' }}>
        <strong>
          <UntrustedText text={scorer.name} layout="inline" />
        </strong>
        <StatusBadge status={scorerStatuses[scorer.status]} />
      </div>
      <KeyValues
        items={{
          Address: <UntrustedText text={scorer.url} layout="prose" />,
          Timeout: `${scorer.timeout_ms / 1000} s`,
          'Max concurrency': scorer.max_concurrency,
          'Disabled because': scorer.disabled_reason,
          'Last test': last ? (
            <span>
              <StatusBadge status={{ word: last.ok ? 'Answered' : 'Failed', tone: last.ok ? 'pass' : 'fail' }} />{' '}
              <RelativeTime at={last.at} />
              <br />
              <UntrustedText text={last.message} layout="prose" />
            </span>
          ) : null,
        }}
      />
      <div className="row">
        {scorer.status === 'active' ? (
          <>
            <Button
              variant="default"
              loading={test.isPending}
              onClick={() => test.mutate(scorer.id, { onError: error => notifyFailed('Couldn’t test the scorer', error) })}
            >
              Test
            </Button>
            <Button variant="default" onClick={() => setAsks('rotate')}>
              Rotate secret
            </Button>
            <Button variant="default" onClick={() => setAsks('disable')}>
              Disable
            </Button>
          </>
        ) : (
          <Button variant="default" loading={enable.isPending} onClick={() => enable.mutate(scorer.id)}>
            Enable
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={asks === 'rotate'}
        onClose={() => setAsks(null)}
        title={`Rotate the secret of ${scorer.name}?`}
        action="Rotate secret"
        dangerous={false}
        onConfirm={async () => onSecret(await rotate.mutateAsync(scorer.id))}
      >
        The old secret also signs for 24 hours.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asks === 'disable'}
        onClose={() => setAsks(null)}
        title={`Disable ${scorer.name}?`}
        action="Disable scorer"
        onConfirm={() => disable.mutateAsync(scorer.id)}
      >
        Outputs are unscored by evaluators that use it until it is enabled again.
      </ConfirmDialog>
    </section>
  )
}

function NewScorerDialog({
  opened,
  onClose,
  onMade,
}: {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onMade: (made: RemoteScorerWithSecret) => void
}) {
  const { create } = useRemoteScorerActions()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ name, url, description }, { onSuccess: onMade })
  }
  return (
    <Modal opened={opened} onClose={onClose} title="New remote scorer" size="md">
      <form className="stack" onSubmit={submit} noValidate>
        <TextInput label="Name" required data-autofocus value={name} onChange={event => setName(event.currentTarget.value)} />
        <TextInput
          label="Address"
          description="https, or http on this machine"
          placeholder="https://scorer.example.com/score"
          required
          value={url}
          onChange={event => setUrl(event.currentTarget.value)}
        />
        <Textarea
          label="Description"
          autosize
          minRows={2}
          value={description}
          onChange={event => setDescription(event.currentTarget.value)}
        />
        {create.isError ? <ErrorState error={create.error} title="Couldn’t register the scorer" reportable={false} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReasonedButton
            type="submit"
            loading={create.isPending}
            blocked={name.trim() === '' ? 'Enter a name.' : url.trim() === '' ? 'Enter the URL.' : null}
          >
            Register
          </ReasonedButton>
        </Group>
      </form>
    </Modal>
  )
}

/** The signing secret, once. Closes only by its own button: a stray click must not lose it. */
function SecretDialog({ made, onDone }: { readonly made: RemoteScorerWithSecret | null; readonly onDone: () => void }) {
  return (
    <Modal
      opened={made !== null}
      onClose={onDone}
      title="Copy the signing secret"
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {made ? (
        <div className="stack">
          <p style={{ margin: 0 }}>It is shown this once. Your endpoint verifies every request with it.</p>
          <div className="evaluators-secret">
            <span data-testid="secret">{made.signing_secret}</span>
            <CopyButton value={made.signing_secret} what="signing secret" />
          </div>
          <Group justify="flex-end">
            <Button onClick={onDone} data-autofocus>
              I have saved it
            </Button>
          </Group>
        </div>
      ) : null}
    </Modal>
  )
}
