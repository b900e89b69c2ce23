import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Purchase } from '../../contract/billing/billing.schemas.ts'
import { chargedPurchaseStates, purchaseMachine } from '../../contract/billing/purchase.machine.ts'
import { allows } from '../../contract/machine.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { notifyDone } from '../ui/page/notify.ts'
import { Money } from '../ui/values/figures.tsx'
import { useRole } from '../workspace/use-role.ts'
import { type PurchaseStep, usePurchaseStep } from './wallet.queries.ts'

interface StepWords {
  readonly button: string
  readonly question: string
  readonly consequence: string
  readonly action: string
  readonly done: string
  readonly dangerous: boolean
}

const words: Readonly<Record<PurchaseStep, StepWords>> = {
  confirm: {
    button: 'Confirm…',
    question: 'Add this to the wallet?',
    consequence: 'Runs may spend it from then on. No card is charged.',
    action: 'Add to the wallet',
    done: 'Added to the wallet.',
    dangerous: false,
  },
  cancel: {
    button: 'Cancel…',
    question: 'Cancel this purchase?',
    consequence: 'Nothing was added to the wallet yet, so nothing is taken back.',
    action: 'Cancel purchase',
    done: 'The purchase is cancelled.',
    dangerous: true,
  },
  refund: {
    button: 'Refund…',
    question: 'Refund this purchase?',
    consequence: 'Takes back the unused amount. Amounts that runs spent or reserved stay with them.',
    action: 'Refund purchase',
    done: 'The purchase is refunded.',
    dangerous: true,
  },
  dispute: {
    button: 'Dispute…',
    question: 'Mark this purchase as disputed?',
    consequence: 'Takes back the unused amount and marks the purchase as disputed. This cannot be undone.',
    action: 'Mark as disputed',
    done: 'The purchase is marked as disputed.',
    dangerous: true,
  },
}

// Every key of `words` is a step.
const steps = Object.keys(words) as PurchaseStep[]

/** What an owner may do with a purchase in its state, and its receipt for everyone. */
export function PurchaseActions({ purchase }: { readonly purchase: Purchase }) {
  const { isOwner } = useRole()
  const [asking, setAsking] = useState<PurchaseStep | null>(null)
  // Keeps its words while the dialog fades out.
  const [asked, setAsked] = useState<PurchaseStep>('confirm')
  const step = usePurchaseStep()
  const { question, consequence, action, done, dangerous } = words[asked]
  return (
    <div className="row" style={{ gap: 4 }}>
      {steps
        .filter(name => isOwner && allows(purchaseMachine, purchase.status, name))
        .map(name => (
          <Button
            key={name}
            size="compact-xs"
            variant="default"
            onClick={() => {
              setAsked(name)
              setAsking(name)
            }}
          >
            {words[name].button}
          </Button>
        ))}
      {chargedPurchaseStates.some(state => state === purchase.status) ? (
        <Button component={Link} to={`/workspace/wallet/receipts/${purchase.id}`} size="compact-xs" variant="subtle">
          Receipt
        </Button>
      ) : null}
      <ConfirmDialog
        opened={asking !== null}
        onClose={() => setAsking(null)}
        title={question}
        action={action}
        dangerous={dangerous}
        onConfirm={async () => {
          await step.mutateAsync({ id: purchase.id, step: asked })
          notifyDone(done)
        }}
      >
        <Money microUsd={purchase.amount_microusd} />. {consequence}
      </ConfirmDialog>
    </div>
  )
}
