import { Button, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars } from '../ui/forms/dollars.ts'
import { textField } from '../ui/forms/fields.ts'
import { notifyDone } from '../ui/page/notify.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useCreatePurchase } from './wallet.queries.ts'

const purchaseRules = { above: '0' } as const

/** Begins an allotment; confirming it in the list guards against accidental purchases. */
export function NewPurchaseDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const create = useCreatePurchase()
  const { amount } = readDollars(typed, purchaseRules)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (amount === null) return
    create.mutate(
      { amount_microusd: amount, note: note.trim() },
      {
        onSuccess: () => {
          setTyped('')
          setNote('')
          onClose()
          notifyDone('Confirm the purchase in the list to add it to the wallet.')
        },
      },
    )
  }
  return (
    <Modal opened={opened} onClose={onClose} title="Add to the budget">
      <form className="stack" onSubmit={submit}>
        <DollarField
          label="Amount"
          description="Takes effect when confirmed; expires after 24 hours. No card is charged."
          rules={purchaseRules}
          value={typed}
          onChange={setTyped}
        />
        <TextInput
          label="What it is for"
          description="Shown in the ledger and on the receipt."
          maxLength={200}
          {...textField(note, setNote)}
        />
        {create.isError ? <ErrorState error={create.error} title="The purchase was not made" /> : null}
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={create.isPending} disabled={amount === null}>
            Make purchase
          </Button>
        </DialogActions>
      </form>
    </Modal>
  )
}
