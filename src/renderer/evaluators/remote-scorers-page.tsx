import './evaluators.css'
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { RemoteScorer, RemoteScorerWithSecret } from '../../contract/evaluators/remote-scorers.schemas.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { textField } from '../ui/forms/fields.ts'
import { NewEndpointDialog, SigningSecretDialog } from '../ui/forms/signed-endpoint-dialogs.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
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
            <EmptyState title="No remote scorers yet" picture="remote-scorers" action={open('default')}>
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
      {isNew ? (
        <NewScorerDialog
          onClose={() => setNew(false)}
          onMade={made => {
            setNew(false)
            setSecret(made)
          }}
        />
      ) : null}
      {secret ? <SigningSecretDialog secret={secret.signing_secret} onDone={() => setSecret(null)} /> : null}
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

function NewScorerDialog({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: (made: RemoteScorerWithSecret) => void }) {
  const { create } = useRemoteScorerActions()
  const [description, setDescription] = useState('')
  return (
    <NewEndpointDialog
      title="New remote scorer"
      what="the scorer"
      placeholder="https://scorer.example.com/score"
      pending={create.isPending}
      error={create.error}
      onClose={onClose}
      onRegister={endpoint => create.mutate({ ...endpoint, description }, { onSuccess: onMade })}
    >
      <Textarea label="Description" autosize minRows={2} {...textField(description, setDescription)} />
    </NewEndpointDialog>
  )
}
