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

/** What the key may spend in all, set or cleared. */
export function CeilingDialog({ opened, apiKey, onClose }: CeilingDialogProps) {
  const [typed, setTyped] = useState(() => (apiKey.ceiling_microusd === null ? '' : typedDollars(apiKey.ceiling_microusd)))
  const set = useSetCeiling(apiKey.id)
  const amount = parseDollars(typed)
  const save = (ceiling: string | null): void => set.mutate(ceiling, { onSuccess: onClose })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (amount !== null) save(amount)
  }
  return (
    <Modal opened={opened} onClose={onClose} title={`Ceiling of “${apiKey.name}”`}>
      <form className="stack" onSubmit={submit}>
        <TextInput
          label="Spending limit"
          description="In dollars, over its whole life, with the keys it was rolled from or into. A run that would pass it is refused."
          inputMode="decimal"
          leftSection="$"
          data-autofocus
          value={typed}
          error={typed !== '' && amount === null ? 'Type an amount in dollars, such as 5 or 0.50' : undefined}
          onChange={event => setTyped(event.currentTarget.value)}
        />
        {set.isError ? <ErrorState error={set.error} title="The ceiling was not changed" /> : null}
        <Group justify="flex-end">
          <Button variant="default" disabled={apiKey.ceiling_microusd === null || set.isPending} onClick={() => save(null)}>
            Clear ceiling
          </Button>
          <Button type="submit" loading={set.isPending} disabled={amount === null}>
            Set ceiling
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
