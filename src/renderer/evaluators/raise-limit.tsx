import { Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Calibration } from '../../contract/index.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useRaiseLimit } from './evaluators.queries.ts'
import { microUsdOf } from './spending-limit.ts'

/** For a calibration that stopped at its limit: a higher one, under which it continues from the calls that are paid for. */
export function RaiseLimit({ calibration }: { readonly calibration: Calibration }) {
  const [dollars, setDollars] = useState('')
  const raise = useRaiseLimit(calibration)
  const limit = microUsdOf(dollars)
  const before = BigInt(calibration.max_charge_microusd ?? 0)
  const blocked =
    limit === null
      ? 'Enter a new limit.'
      : limit === false
        ? 'Enter an amount such as 2.50'
        : BigInt(limit) <= before
          ? `Enter more than ${formatUsd(String(before))}`
          : null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (blocked === null && typeof limit === 'string') raise.mutate(limit)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end">
        <TextInput
          label="New spending limit"
          description={`For all judge calls together. So far: ${formatUsd(String(before))}`}
          leftSection="$"
          inputMode="decimal"
          w={320}
          value={dollars}
          error={limit === null ? undefined : blocked}
          onChange={event => setDollars(event.currentTarget.value)}
        />
        <ReasonedButton type="submit" loading={raise.isPending} blocked={blocked}>
          Raise limit and continue
        </ReasonedButton>
      </Group>
      {raise.isError ? <ErrorState error={raise.error} title="Couldn’t continue the calibration" /> : null}
    </form>
  )
}
