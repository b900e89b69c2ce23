import { defineMachine } from '../machine.ts'

export const webhookMachine = defineMachine({
  resource: 'webhook',
  states: ['active', 'disabled'],
  initial: 'active',
  terminal: [],
  events: {
    disable: { from: ['active'], to: 'disabled' },
    enable: { from: ['disabled'], to: 'active' },
  },
})
export type WebhookStatus = (typeof webhookMachine.states)[number]

/** Of one event to one address. `dead`: every try failed; a person may send it again. */
export const webhookDeliveryMachine = defineMachine({
  resource: 'webhook delivery',
  states: ['pending', 'delivered', 'dead'],
  initial: 'pending',
  terminal: ['delivered'],
  events: {
    deliver: { from: ['pending'], to: 'delivered' },
    give_up: { from: ['pending'], to: 'dead' },
    retry: { from: ['dead'], to: 'pending' },
  },
})
export type WebhookDeliveryStatus = (typeof webhookDeliveryMachine.states)[number]
