import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ApiKey } from '../../contract/index.ts'
import { parseDollars, typedDollars } from '../quotes/dollars.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
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
  const isValid = wallet.error === undefined && provider.error === undefined
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isValid) set.mutate({ ceiling_microusd: wallet.amount, provider_ceiling_microusd: provider.amount }, { onSuccess: onClose })
  }
  return (
    <Modal opened={opened} onClose={onClose} title={`Spending limits of “${apiKey.name}”`}>
      <form className="stack" onSubmit={submit}>
        <TextInput
          label="Wallet spending limit"
          description="In dollars, over its whole life, with the keys it was rolled from or into. Empty: no limit."
          inputMode="decimal"
          leftSection="$"
          data-autofocus
          value={wallet.typed}
          error={wallet.error}
          onChange={event => wallet.type(event.currentTarget.value)}
        />
        <TextInput
          label="Provider spending limit"
          description="Provider billing through connections. Connections without rates are refused. Empty: no limit."
          inputMode="decimal"
          leftSection="$"
          value={provider.typed}
          error={provider.error}
          onChange={event => provider.type(event.currentTarget.value)}
        />
        {set.isError ? <ErrorState error={set.error} title="Couldn’t change the limits" /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={set.isPending} disabled={!isValid}>
            Set limits
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function useCeiling(present: string | null) {
  const [typed, type] = useState(() => (present === null ? '' : typedDollars(present)))
  const amount = typed.trim() === '' ? null : parseDollars(typed)
  const error = typed.trim() !== '' && amount === null ? 'Type an amount in dollars, such as 5 or 0.50' : undefined
  return { typed, type, amount, error }
}
