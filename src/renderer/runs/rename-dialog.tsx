import { Button, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { announce } from '../api/announcements.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useChangeRun } from './run-changes.queries.ts'

interface RenameDialogProps {
  readonly run: Run
  readonly opened: boolean
  readonly onClose: () => void
}

export function RenameDialog({ run, opened, onClose }: RenameDialogProps) {
  const [name, setName] = useState(run.name)
  const change = useChangeRun(run.id)
  const wanted = name.trim()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const done = (): void => {
      announce('Run renamed')
      onClose()
    }
    if (wanted !== '') change.mutate({ name: wanted }, { onSuccess: done })
  }
  return (
    <Modal opened={opened} onClose={onClose} title="Rename the run">
      <form className="stack" onSubmit={submit}>
        <TextInput label="Name" maxLength={200} {...textField(name, setName)} />
        {change.isError ? <ErrorState error={change.error} title="The run was not renamed" /> : null}
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={change.isPending} disabled={wanted === '' || wanted === run.name}>
            Rename
          </Button>
        </DialogActions>
      </form>
    </Modal>
  )
}
