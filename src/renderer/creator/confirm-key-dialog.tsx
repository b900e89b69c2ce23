import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Namespace } from '../../contract/creator/namespaces.schemas.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { textField } from '../ui/forms/fields.ts'
import { notifyDone } from '../ui/page/notify.ts'
import { useConfirmKey } from './creator.queries.ts'

/** For an owner who got the fingerprint from the author. It is typed, not shown to be clicked, so that it is really compared. */
export function ConfirmKeyDialog({ of, onClose }: { readonly of: Namespace | null; readonly onClose: () => void }) {
  const confirm = useConfirmKey()
  const [fingerprint, setFingerprint] = useState('')
  const typed = fingerprint.replaceAll(/[\s:]/g, '').toLowerCase()
  const close = (): void => {
    setFingerprint('')
    onClose()
  }
  return (
    <ConfirmDialog
      opened={of !== null}
      onClose={close}
      title={`Confirm the key of ${of?.name ?? ''}?`}
      action="Confirm key"
      dangerous={false}
      disabled={typed === ''}
      onConfirm={async () => {
        if (of === null) return
        await confirm.mutateAsync({ name: of.name, fingerprint: typed })
        notifyDone(`Key of ${of.name} confirmed.`)
      }}
    >
      <p>Ask the author for the fingerprint over another channel, such as a call, and enter what they tell you.</p>
      <Textarea
        label="Fingerprint from the author"
        description="SHA-256 of the key: 64 hexadecimal digits. Spaces and colons are ignored."
        required
        autosize
        mt="sm"
        classNames={{ input: 'mono' }}
        {...textField(fingerprint, setFingerprint)}
      />
    </ConfirmDialog>
  )
}
