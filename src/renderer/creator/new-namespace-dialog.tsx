import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ErrorState } from '../ui/states/error-state.tsx'
import { notifyDone } from '../ui/page/notify.ts'
import { useCreateNamespace } from './creator.queries.ts'

interface NewNamespaceDialogProps {
  readonly opened: boolean
  /** What a package calls its namespace; may be edited. */
  readonly suggested?: string
  readonly onClose: () => void
  readonly onMade?: () => void
}

export function NewNamespaceDialog({ opened, suggested = '', onClose, onMade }: NewNamespaceDialogProps) {
  const create = useCreateNamespace()
  const [form, setForm] = useState({ name: suggested, title: '', description: '', key: '' })
  const ready = form.name.trim() !== '' && form.title.trim() !== ''
  const submit = (): void => {
    const { name, title, description, key } = form
    const body = { name: name.trim(), title: title.trim(), description, ...(key.trim() ? { public_key: `${key.trim()}\n` } : {}) }
    create.mutate(body, {
      onSuccess: made => {
        notifyDone(`Registered ${made.name}.`)
        setForm({ name: '', title: '', description: '', key: '' })
        onClose()
        onMade?.()
      },
    })
  }
  return (
    <Modal opened={opened} onClose={onClose} title="New namespace" size="md">
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          if (ready) submit()
        }}
      >
        <TextInput
          label="Name"
          description="3 to 40 lower-case letters and digits, words joined by dashes. It can’t be changed."
          required
          data-autofocus
          value={form.name}
          onChange={event => setForm({ ...form, name: event.currentTarget.value })}
        />
        <TextInput label="Title" required value={form.title} onChange={event => setForm({ ...form, title: event.currentTarget.value })} />
        <Textarea
          label="Description"
          autosize
          minRows={2}
          value={form.description}
          onChange={event => setForm({ ...form, description: event.currentTarget.value })}
        />
        <Textarea
          label="Public key"
          description="Optional Ed25519 key in PEM. Packages signed with it show who made them."
          autosize
          minRows={3}
          className="mono"
          value={form.key}
          onChange={event => setForm({ ...form, key: event.currentTarget.value })}
        />
        {create.error ? <ErrorState error={create.error} title="The namespace was not registered" /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready} loading={create.isPending}>
            Register
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
