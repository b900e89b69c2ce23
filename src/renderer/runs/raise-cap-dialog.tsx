import { Button, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'
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
  const rules = { above: cap.present }
  const raised = raisedTo(cap, readDollars(typed, rules).amount)
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
        <DollarField
          label={cap.label}
          description={`${formatUsd(cap.present)} now. ${goesOn ? 'Missing samples start at once, as a part of this run.' : 'Takes effect immediately.'}`}
          placeholder={typedDollars(cap.present)}
          rules={rules}
          value={typed}
          onChange={setTyped}
        />
        {change.isError ? <ErrorState error={change.error} title="Couldn’t raise the limit" /> : null}
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={change.isPending} disabled={raised === null}>
            Raise the limit
          </Button>
        </DialogActions>
      </form>
    </Modal>
  )
}
