import { defineMachine } from '../machine.ts'

/** A purchase is an allotment to the wallet's budget. The wallet is credited only when it is paid. */
export const purchaseMachine = defineMachine({
  resource: 'purchase',
  states: ['open', 'paid', 'refunded', 'disputed', 'expired', 'cancelled'],
  initial: 'open',
  terminal: ['refunded', 'disputed', 'expired', 'cancelled'],
  events: {
    confirm: { from: ['open'], to: 'paid' },
    cancel: { from: ['open'], to: 'cancelled' },
    expire: { from: ['open'], to: 'expired' },
    refund: { from: ['paid'], to: 'refunded' },
    dispute: { from: ['paid'], to: 'disputed' },
  },
})
export type PurchaseStatus = (typeof purchaseMachine.states)[number]

/** Purchases that charged a payment, and so have a receipt. */
export const chargedPurchaseStates = ['paid', 'refunded', 'disputed'] as const satisfies readonly PurchaseStatus[]
