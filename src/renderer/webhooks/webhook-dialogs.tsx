import { MultiSelect } from '@mantine/core'
import { useState } from 'react'
import { type WebhookEvent, webhookEvents, type WebhookWithSecret } from '../../contract/webhooks/webhooks.schemas.ts'
import { NewEndpointDialog } from '../ui/forms/signed-endpoint-dialogs.tsx'
import { eventTitles } from './webhook-words.ts'
import { useWebhookActions } from './webhooks.queries.ts'

interface NewWebhookDialogProps {
  readonly onClose: () => void
  readonly onMade: (made: WebhookWithSecret) => void
}

export function NewWebhookDialog({ onClose, onMade }: NewWebhookDialogProps) {
  const { create } = useWebhookActions()
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhookEvents)
  return (
    <NewEndpointDialog
      title="New webhook"
      what="the webhook"
      placeholder="https://hooks.example.com/assay"
      blocked={events.length === 0 ? 'Choose an event.' : null}
      pending={create.isPending}
      error={create.error}
      onClose={onClose}
      onRegister={endpoint => create.mutate({ ...endpoint, events: [...events], allow_private: false }, { onSuccess: onMade })}
    >
      <MultiSelect
        label="Events"
        data={webhookEvents.map(value => ({ value, label: eventTitles[value] }))}
        value={[...events]}
        onChange={chosen => setEvents(webhookEvents.filter(event => chosen.includes(event)))}
      />
    </NewEndpointDialog>
  )
}
