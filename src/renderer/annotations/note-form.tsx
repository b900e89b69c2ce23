import { Button, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { textField } from '../ui/forms/fields.ts'
import { ErrorState } from '../ui/states/error-state.tsx'

interface NoteFormProps {
  readonly text: string
  readonly onSave: (text: string) => Promise<unknown>
  readonly onClose: () => void
}

/** Writes or edits a note. A refusal stays in the form, with what was typed. */
export function NoteForm({ text, onSave, onClose }: NoteFormProps) {
  const [draft, setDraft] = useState(text)
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: Error | null }>({ busy: false, error: null })
  const save = async (): Promise<void> => {
    setState({ busy: true, error: null })
    try {
      await onSave(draft)
      onClose()
    } catch (error) {
      setState({ busy: false, error: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return (
    <div className="stack">
      <Textarea
        label="Note"
        description="Plain text, visible to everyone in the workspace"
        autosize
        minRows={2}
        maxLength={10_000}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens because its button was pressed
        autoFocus
        {...textField(draft, setDraft)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          // Escape would also close the panel around the form.
          event.preventDefault()
          onClose()
        }}
      />
      {state.error ? <ErrorState error={state.error} title="The note was not saved" /> : null}
      <Group gap="xs">
        <Button disabled={draft.trim() === ''} loading={state.busy} onClick={() => void save()}>
          Save note
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </div>
  )
}
