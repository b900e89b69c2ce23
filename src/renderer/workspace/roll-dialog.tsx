import { Button, Modal, Radio } from '@mantine/core'
import { useState } from 'react'
import type { ApiKey, CreatedApiKey, RollOverlap } from '../../contract/keys/keys.schemas.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useRollKey } from './keys.queries.ts'

const overlaps: readonly { readonly value: RollOverlap; readonly label: string; readonly description: string }[] = [
  { value: 'none', label: 'Immediately', description: 'For a key that leaked: its next request is refused.' },
  { value: '1h', label: 'After one hour', description: 'Time to restart a program.' },
  { value: '24h', label: 'After one day', description: 'Time for everything that deploys daily.' },
  { value: '7d', label: 'After seven days', description: 'Time to tell people.' },
]

interface RollDialogProps {
  readonly opened: boolean
  readonly apiKey: ApiKey
  readonly onClose: () => void
  readonly onRolled: (made: CreatedApiKey) => void
}

/** Replaces a key. The old one keeps working for the overlap, but never beyond its expiry. */
export function RollDialog({ opened, apiKey, onClose, onRolled }: RollDialogProps) {
  const [overlap, setOverlap] = useState<RollOverlap>('24h')
  const roll = useRollKey(apiKey.id)
  const submit = async (): Promise<void> => {
    try {
      // Awaited, since a callback would be lost, and the key with it, if the list were read again first and closed this dialog.
      onRolled(await roll.mutateAsync(overlap))
      onClose()
    } catch {
      // The mutation keeps its error, which is shown below.
    }
  }
  return (
    <Modal opened={opened} onClose={onClose} title={`Roll “${apiKey.name}”`}>
      <div className="stack">
        <p style={{ margin: 0 }}>Makes a new key with the same name, scopes and expiry; both share their spending limits.</p>
        <Radio.Group
          label="Old key expires"
          value={overlap}
          onChange={value => setOverlap(overlaps.find(one => one.value === value)?.value ?? overlap)}
        >
          <div className="stack" style={{ gap: 8, paddingTop: 8 }}>
            {overlaps.map(({ value, label, description }) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </div>
        </Radio.Group>
        {roll.isError ? <ErrorState error={roll.error} title="The key was not rolled" /> : null}
        <DialogActions onCancel={onClose}>
          <Button loading={roll.isPending} onClick={() => void submit()}>
            Roll key
          </Button>
        </DialogActions>
      </div>
    </Modal>
  )
}
