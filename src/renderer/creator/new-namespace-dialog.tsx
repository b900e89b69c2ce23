import { Button, Modal, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
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
          {...textField(form.name, text => setForm({ ...form, name: text }))}
        />
        <TextInput label="Title" required {...textField(form.title, text => setForm({ ...form, title: text }))} />
        <Textarea
          label="Description"
          autosize
          minRows={2}
          {...textField(form.description, text => setForm({ ...form, description: text }))}
        />
        <Textarea
          label="Public key"
          description="Optional Ed25519 key in PEM. Packages signed with it show who made them."
          autosize
          minRows={3}
          className="mono"
          {...textField(form.key, text => setForm({ ...form, key: text }))}
        />
        {create.error ? <ErrorState error={create.error} title="The namespace was not registered" /> : null}
        <DialogActions onCancel={onClose}>
          <Button type="submit" disabled={!ready} loading={create.isPending}>
            Register
          </Button>
        </DialogActions>
      </form>
    </Modal>
  )
}
