import './webhooks.css'
import { Button, Group, Modal, MultiSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type WebhookEvent, webhookEvents, type WebhookWithSecret } from '../../contract/index.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { eventTitles } from './webhook-words.ts'
import { useWebhookActions } from './webhooks.queries.ts'

interface NewWebhookDialogProps {
  readonly onClose: () => void
  readonly onMade: (made: WebhookWithSecret) => void
}

export function NewWebhookDialog({ onClose, onMade }: NewWebhookDialogProps) {
  const { create } = useWebhookActions()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhookEvents)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ name: name.trim(), url: url.trim(), events: [...events], allow_private: false }, { onSuccess: onMade })
  }
  const blocked =
    name.trim() === '' ? 'Enter a name.' : url.trim() === '' ? 'Enter the address.' : events.length === 0 ? 'Choose an event.' : null
  return (
    <Modal opened onClose={onClose} title="New webhook" size="md">
      <form className="stack" onSubmit={submit} noValidate>
        <TextInput label="Name" required data-autofocus value={name} onChange={event => setName(event.currentTarget.value)} />
        <TextInput
          label="Address"
          description="https, or http on this machine"
          placeholder="https://hooks.example.com/assay"
          required
          value={url}
          onChange={event => setUrl(event.currentTarget.value)}
        />
        <MultiSelect
          label="Events"
          data={webhookEvents.map(value => ({ value, label: eventTitles[value] }))}
          value={[...events]}
          onChange={chosen => setEvents(webhookEvents.filter(event => chosen.includes(event)))}
        />
        {create.isError ? <ErrorState error={create.error} title="Couldn’t register the webhook" reportable={false} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReasonedButton type="submit" loading={create.isPending} blocked={blocked}>
            Register
          </ReasonedButton>
        </Group>
      </form>
    </Modal>
  )
}

/** The signing secret, once. Closes only by its own button: a stray click must not lose it. */
export function WebhookSecretDialog({ made, onDone }: { readonly made: WebhookWithSecret; readonly onDone: () => void }) {
  return (
    <Modal
      opened
      onClose={onDone}
      title="Copy the signing secret"
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className="stack">
        <p style={{ margin: 0 }}>It is shown this once. Your program verifies every request with it.</p>
        <div className="webhooks-secret">
          <span data-testid="secret">{made.signing_secret}</span>
          <CopyButton value={made.signing_secret} what="signing secret" />
        </div>
        <Group justify="flex-end">
          <Button onClick={onDone} data-autofocus>
            I have saved it
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
