import './signed-endpoint-dialogs.css'
import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ErrorState } from '../states/error-state.tsx'
import { CopyButton } from '../values/copy-button.tsx'
import { DialogActions } from './dialog-actions.tsx'
import { textField } from './fields.ts'
import { ReasonedButton } from './reasoned-button.tsx'

interface NewEndpointDialogProps {
  /** "New webhook" */
  readonly title: string
  /** "the webhook" */
  readonly what: string
  readonly placeholder: string
  /** The other fields. */
  readonly children: ReactNode
  /** What the other fields lack; null where nothing. */
  readonly blocked?: string | null
  readonly pending: boolean
  readonly error: Error | null
  readonly onClose: () => void
  /** With name and address as they are stored. */
  readonly onRegister: (endpoint: { readonly name: string; readonly url: string }) => void
}

/** Registers an address of the reader's own that is sent signed requests. */
export function NewEndpointDialog({
  title,
  what,
  placeholder,
  children,
  blocked = null,
  pending,
  error,
  onClose,
  onRegister,
}: NewEndpointDialogProps) {
  const [typedName, setName] = useState('')
  const [typedUrl, setUrl] = useState('')
  const [name, url] = [typedName.trim(), typedUrl.trim()]
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onRegister({ name, url })
  }
  return (
    <Modal opened onClose={onClose} title={title} size="md">
      <form className="stack" onSubmit={submit} noValidate>
        <TextInput label="Name" required {...textField(typedName, setName)} />
        <TextInput
          label="Address"
          description="https, or http on this machine"
          placeholder={placeholder}
          required
          {...textField(typedUrl, setUrl)}
        />
        {children}
        {error ? <ErrorState error={error} title={`Couldn’t register ${what}`} reportable={false} /> : null}
        <DialogActions onCancel={onClose}>
          <ReasonedButton
            type="submit"
            loading={pending}
            blocked={name === '' ? 'Enter a name.' : url === '' ? 'Enter the address.' : blocked}
          >
            Register
          </ReasonedButton>
        </DialogActions>
      </form>
    </Modal>
  )
}

/** The signing secret, once. Closes only by its own button: a stray click must not lose it. */
export function SigningSecretDialog({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
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
        <p style={{ margin: 0 }}>It is shown this once. Whoever receives the requests verifies each of them with it.</p>
        <div className="signing-secret">
          <span data-testid="secret">{secret}</span>
          <CopyButton value={secret} what="signing secret" />
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
