import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isTerminal, type Run, runMachine } from '../../contract/index.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { parseDollars, typedDollars } from '../quotes/dollars.ts'
import { notifyDone } from '../ui/page/notify.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { type RaisableCap, raisedTo } from './raisable-caps.ts'
import { useChangeRun } from './run-changes.queries.ts'

interface RaiseCapDialogProps {
  readonly run: Run
  readonly cap: RaisableCap
  readonly opened: boolean
  readonly onClose: () => void
}

/** Raises a cap; a run stopped by the cap continues with its missing samples. */
export function RaiseCapDialog({ run, cap, opened, onClose }: RaiseCapDialogProps) {
  const [typed, setTyped] = useState('')
  const change = useChangeRun(run.id)
  const amount = parseDollars(typed)
  const raised = raisedTo(cap, amount)
  const goesOn = isTerminal(runMachine, run.status) && run.stop_reason?.code === 'cap_reached'
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!raised) return
    change.mutate(raised, {
      onSuccess: () => {
        notifyDone(goesOn ? 'Limit raised; missing samples are being run.' : 'Limit raised.')
        setTyped('')
        onClose()
      },
    })
  }
  return (
    <Modal opened={opened} onClose={onClose} title="Raise the limit">
      <form className="stack" onSubmit={submit}>
        <TextInput
          label={cap.label}
          description={`In dollars; it is ${formatUsd(cap.present)} now. ${goesOn ? 'Missing samples start at once, as a part of this run.' : 'Takes effect immediately.'}`}
          inputMode="decimal"
          leftSection="$"
          data-autofocus
          placeholder={typedDollars(cap.present)}
          value={typed}
          error={capError(typed, amount, raised !== null, cap)}
          onChange={event => setTyped(event.currentTarget.value)}
        />
        {change.isError ? <ErrorState error={change.error} title="Couldn’t raise the limit" /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={raised === null}>
            Raise the limit
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function capError(typed: string, amount: string | null, raises: boolean, { present }: RaisableCap): string | null {
  if (typed === '') return null
  if (amount === null) return 'Type an amount in dollars, such as 5 or 0.50'
  return raises ? null : `A cap can only be raised: type more than ${formatUsd(present)}`
}
