import { defineMachine } from '../machine.ts'

/** The review of an example's current revision. Only a person approves; a new revision begins again as a draft. */
export const exampleMachine = defineMachine({
  resource: 'example',
  states: ['draft', 'in_review', 'approved', 'rejected'],
  initial: 'draft',
  terminal: [],
  events: {
    submit: { from: ['draft', 'approved', 'rejected'], to: 'in_review' },
    approve: { from: ['draft', 'in_review'], to: 'approved' },
    reject: { from: ['draft', 'in_review'], to: 'rejected' },
    reopen: { from: ['in_review', 'approved', 'rejected'], to: 'draft' },
    revise: { from: ['draft', 'in_review', 'approved', 'rejected'], to: 'draft' },
  },
})
