import { Button, Modal, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Member } from '../../contract/workspace/workspace.schemas.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { PrintedCode } from './pairing-code-dialog.tsx'
import { useInvite } from './members.queries.ts'
import { useRole } from './use-role.ts'
import { roleOptions } from './role-options.ts'

interface InviteDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onInvited: (printed: PrintedCode) => void
}

export function InviteDialog({ opened, onClose, onInvited }: InviteDialogProps) {
  const { isOwner } = useRole()
  const [name, setName] = useState('')
  const [role, setRole] = useState<Member['role']>('member')
  const invite = useInvite()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    invite.mutate(
      { name: name.trim(), role },
      {
        onSuccess: ({ member, pairing_code: code }) => {
          setName('')
          onClose()
          onInvited({ name: member.name, code })
        },
      },
    )
  }
  return (
    <Modal opened={opened} onClose={onClose} title="Invite a person">
      <form className="stack" onSubmit={submit}>
        <TextInput label="Name" required maxLength={200} {...textField(name, setName)} />
        <Select
          label="Role"
          description="Members quote, run and compare. Admins also manage members, keys and spending limits."
          data={roleOptions(isOwner)}
          value={role}
          onChange={value => value && setRole(value)}
        />
        {invite.isError ? <ErrorState error={invite.error} title="Invitation failed" /> : null}
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={invite.isPending} disabled={name.trim() === ''}>
            Print pairing code
          </Button>
        </DialogActions>
      </form>
    </Modal>
  )
}
