import './webhooks.css'
import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Webhook, WebhookDelivery, WebhookWithSecret } from '../../contract/webhooks/webhooks.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { allItems } from '../api/pages.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { LoadMore } from '../ui/table/load-more.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { WorkspaceTabs } from '../workspace/workspace-tabs.tsx'
import { SigningSecretDialog } from '../ui/forms/signed-endpoint-dialogs.tsx'
import { NewWebhookDialog } from './webhook-dialogs.tsx'
import { deliveryStatuses, eventTitles, webhookStatuses } from './webhook-words.ts'
import { deliveriesQuery, useWebhookActions, webhooksQuery } from './webhooks.queries.ts'

/** Addresses that are told of events, with what was sent to each. */
export function WebhooksPage() {
  const query = useQuery(webhooksQuery)
  const [isNew, setNew] = useState(false)
  const [secret, setSecret] = useState<WebhookWithSecret | null>(null)
  const open = (variant: 'filled' | 'default') => (
    <Button variant={variant} onClick={() => setNew(true)}>
      New webhook
    </Button>
  )
  return (
    <Page>
      <PageHeader
        title="Webhooks"
        description="Signed requests that tell your programs of events: ids and figures, never prompts or answers."
        actions={
          <>
            <RequestMenu operation="listWebhooks" request={{ query: {} }} />
            {open('filled')}
          </>
        }
      />
      <WorkspaceTabs />
      <QueryView query={query} failure="Couldn’t load webhooks">
        {webhooks =>
          webhooks.length === 0 ? (
            <EmptyState title="No webhooks yet" picture="webhooks" action={open('default')}>
              Register an address to be told when a run ends, a monitor raises an alarm or a budget is nearly used.
            </EmptyState>
          ) : (
            <div className="webhooks-list">
              {webhooks.map(webhook => (
                <WebhookCard key={webhook.id} webhook={webhook} onSecret={setSecret} />
              ))}
            </div>
          )
        }
      </QueryView>
      {isNew ? (
        <NewWebhookDialog
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

interface WebhookCardProps {
  readonly webhook: Webhook
  readonly onSecret: (made: WebhookWithSecret) => void
}

function WebhookCard({ webhook, onSecret }: WebhookCardProps) {
  const { test, rotate, change, remove } = useWebhookActions()
  const [asks, setAsks] = useState<'rotate' | 'delete' | null>(null)
  const [isOpen, setOpen] = useState(false)
  const { id, last_delivery: last, dead_deliveries: dead } = webhook
  const isActive = webhook.status === 'active'
  const send = (): void =>
    test.mutate(id, {
      onSuccess: ({ status, message }) =>
        status === 'delivered'
          ? notifyDone('Test event delivered.')
          : notifyFailed('The test event was not delivered', new Error(message ?? '')),
      onError: error => notifyFailed('Couldn’t test the webhook', error),
    })
  return (
    <section className="webhooks-card" aria-label={webhook.name}>
      <div className="row" style={{ justifyContent: 'space-between' }}>
        <strong>
          <UntrustedText text={webhook.name} layout="prose" />
        </strong>
        <StatusBadge status={webhookStatuses[webhook.status]} />
      </div>
      <KeyValues
        items={{
          Address: <UntrustedText text={webhook.url} layout="prose" />,
          Events: webhook.events.map(event => eventTitles[event]).join(', '),
          'Disabled because': webhook.disabled_reason,
          'Not delivered': dead === 0 ? null : formatCount(dead),
          'Last delivery': last ? (
            <span className="row">
              <StatusBadge status={deliveryStatuses[last.status]} />
              <RelativeTime at={last.created_at} />
            </span>
          ) : null,
        }}
      />
      <div className="row">
        {isActive ? (
          <>
            <Button variant="default" loading={test.isPending} onClick={send}>
              Send test event
            </Button>
            <Button variant="default" onClick={() => setAsks('rotate')}>
              Rotate secret
            </Button>
          </>
        ) : null}
        <Button
          variant="default"
          loading={change.isPending}
          onClick={() =>
            change.mutate(
              { id, body: { status: isActive ? 'disabled' : 'active' } },
              { onError: error => notifyFailed('Couldn’t change the webhook', error) },
            )
          }
        >
          {isActive ? 'Disable' : 'Enable'}
        </Button>
        <Button variant="default" onClick={() => setAsks('delete')}>
          Delete
        </Button>
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Deliveries
        </Button>
      </div>
      {isOpen ? <Deliveries webhook={webhook} /> : null}
      <ConfirmDialog
        opened={asks === 'rotate'}
        onClose={() => setAsks(null)}
        title={`Rotate the secret of ${showHidden(webhook.name)}?`}
        action="Rotate secret"
        dangerous={false}
        onConfirm={async () => onSecret(await rotate.mutateAsync(id))}
      >
        The old secret also signs for 24 hours.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asks === 'delete'}
        onClose={() => setAsks(null)}
        title={`Delete ${showHidden(webhook.name)}?`}
        action="Delete webhook"
        onConfirm={() => remove.mutateAsync(id)}
      >
        Its secret and the list of its deliveries are deleted. Events that were not delivered yet are dropped.
      </ConfirmDialog>
    </section>
  )
}

function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const query = useInfiniteQuery(deliveriesQuery(webhook.id))
  const { retry } = useWebhookActions()
  const columns: readonly Column<WebhookDelivery>[] = [
    {
      id: 'event',
      title: 'Event',
      width: 150,
      rowHeader: true,
      cell: ({ event }) => (event === 'webhook.test' ? 'Test' : eventTitles[event]),
    },
    { id: 'status', title: 'Status', width: 130, cell: ({ status }) => <StatusBadge status={deliveryStatuses[status]} /> },
    { id: 'at', title: 'Created', width: 120, cell: ({ created_at: at }) => <RelativeTime at={at} /> },
    { id: 'tries', title: 'Tries', width: 70, align: 'end', cell: ({ tries }) => formatCount(tries) },
    { id: 'http', title: 'HTTP', width: 70, align: 'end', cell: ({ http_status: status }) => status ?? '' },
    {
      id: 'message',
      title: 'Reason',
      width: 260,
      grow: true,
      cell: ({ message }) => (message === null ? null : <UntrustedText text={message} layout="prose" />),
    },
    {
      id: 'retry',
      title: 'Action',
      width: 110,
      cell: ({ id, status }) =>
        status === 'dead' ? (
          <Button
            size="compact-xs"
            variant="default"
            loading={retry.isPending}
            onClick={() =>
              retry.mutate(
                { id: webhook.id, deliveryId: id },
                { onError: error => notifyFailed('Couldn’t send the delivery again', error) },
              )
            }
          >
            Send again
          </Button>
        ) : null,
    },
  ]
  return (
    <>
      <QueryView query={query} failure="Couldn’t load the deliveries">
        {data =>
          allItems(data).length === 0 ? (
            <EmptyState title="Nothing was sent yet" />
          ) : (
            <PlainTable
              label={`Deliveries of ${showHidden(webhook.name)}`}
              columns={columns}
              rows={allItems(data)}
              rowId={({ id }) => id}
            />
          )
        }
      </QueryView>
      <LoadMore query={query} />
    </>
  )
}
