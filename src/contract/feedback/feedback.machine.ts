import { defineMachine } from '../machine.ts'

/** Every transition is made by a person; none is automatic. */
export const feedbackMachine = defineMachine({
  resource: 'feedback report',
  states: ['received', 'triaged', 'accepted', 'pr_open', 'shipped', 'declined'],
  initial: 'received',
  terminal: ['shipped', 'declined'],
  events: {
    triage: { from: ['received'], to: 'triaged' },
    accept: { from: ['triaged'], to: 'accepted' },
    open_pr: { from: ['accepted'], to: 'pr_open' },
    ship: { from: ['pr_open'], to: 'shipped' },
    decline: { from: ['received', 'triaged', 'accepted', 'pr_open'], to: 'declined' },
  },
})
export type FeedbackStatus = (typeof feedbackMachine.states)[number]
