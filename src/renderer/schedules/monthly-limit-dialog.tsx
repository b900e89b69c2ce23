import { Button, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Schedule } from '../../contract/schedules/schedules.schemas.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useChangeSchedule } from './schedules.queries.ts'

/** The most that the runs of a schedule may cost in a month. */
export function MonthlyLimitDialog({ schedule, onClose }: { readonly schedule: Schedule; readonly onClose: () => void }) {
  const change = useChangeSchedule(schedule.id)
  const [typed, setTyped] = useState(typedDollars(schedule.max_monthly_microusd))
  const { amount } = readDollars(typed)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (amount !== null) change.mutate({ max_monthly_microusd: amount }, { onSuccess: onClose })
  }
  return (
    <Modal opened onClose={onClose} title="Change the monthly limit">
      <form className="stack" onSubmit={submit} noValidate>
        <DollarField
          label="Monthly limit"
          description="All runs of a UTC month, provider bills included"
          value={typed}
          onChange={setTyped}
        />
        {change.error ? <ErrorState error={change.error} title="The limit was not changed" /> : null}
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={change.isPending} disabled={amount === null}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Modal>
  )
}
