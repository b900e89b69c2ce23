import { Button, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ApiKey } from '../../contract/keys/keys.schemas.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { ceilingRules } from './key-form.ts'
import { useSetCeiling } from './keys.queries.ts'

interface CeilingDialogProps {
  readonly opened: boolean
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** What the key may spend of the wallet, and what providers may bill through it: each set, or cleared by leaving it empty. */
export function CeilingDialog({ opened, apiKey, onClose }: CeilingDialogProps) {
  const wallet = useCeiling(apiKey.ceiling_microusd)
  const provider = useCeiling(apiKey.provider_ceiling_microusd)
  const set = useSetCeiling(apiKey.id)
  const isValid = wallet.error === null && provider.error === null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isValid) set.mutate({ ceiling_microusd: wallet.amount, provider_ceiling_microusd: provider.amount }, { onSuccess: onClose })
  }
  return (
    <Modal opened={opened} onClose={onClose} title={`Spending limits of “${apiKey.name}”`}>
      <form className="stack" onSubmit={submit}>
        <DollarField
          label="Wallet spending limit"
          description="Over its whole life, with the keys it was rolled from or into."
          rules={ceilingRules}
          value={wallet.typed}
          onChange={wallet.type}
        />
        <DollarField
          label="Provider spending limit"
          description="Provider billing through connections. Connections without rates are refused."
          rules={ceilingRules}
          value={provider.typed}
          onChange={provider.type}
        />
        {set.isError ? <ErrorState error={set.error} title="Couldn’t change the limits" /> : null}
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={set.isPending} disabled={!isValid}>
            Set limits
          </Button>
        </DialogActions>
      </form>
    </Modal>
  )
}

function useCeiling(present: string | null) {
  const [typed, type] = useState(() => (present === null ? '' : typedDollars(present)))
  return { typed, type, ...readDollars(typed, ceilingRules) }
}
