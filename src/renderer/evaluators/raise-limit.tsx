import { Group } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Calibration } from '../../contract/evaluators/calibrations.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars } from '../ui/forms/dollars.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useRaiseLimit } from './evaluators.queries.ts'

/** For a calibration that stopped at its limit: a higher one, under which it continues from the calls that are paid for. */
export function RaiseLimit({ calibration }: { readonly calibration: Calibration }) {
  const [dollars, setDollars] = useState('')
  const raise = useRaiseLimit(calibration)
  const before = calibration.max_charge_microusd ?? '0'
  const rules = { above: before }
  const { amount, error } = readDollars(dollars, rules)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (amount !== null) raise.mutate(amount)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end">
        <DollarField
          label="New spending limit"
          description={`For all judge calls together. Limit so far: ${formatUsd(before)}`}
          rules={rules}
          value={dollars}
          onChange={setDollars}
        />
        <ReasonedButton
          type="submit"
          loading={raise.isPending}
          blocked={error === null ? null : dollars.trim() === '' ? 'Enter a new limit.' : `${error}.`}
        >
          Raise limit and continue
        </ReasonedButton>
      </Group>
      {raise.isError ? <ErrorState error={raise.error} title="Couldn’t continue the calibration" /> : null}
    </form>
  )
}
