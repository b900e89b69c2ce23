import { defineMachine } from '../machine.ts'

/** A package is checked by jobs, approved by a person, then published; withdrawing hides it without deleting data. */
export const packageMachine = defineMachine({
  resource: 'package',
  states: ['uploaded', 'validating', 'in_review', 'accepted', 'published', 'rejected', 'withdrawn'],
  initial: 'uploaded',
  terminal: ['rejected', 'withdrawn'],
  events: {
    validate: { from: ['uploaded'], to: 'validating' },
    pass_checks: { from: ['validating'], to: 'in_review' },
    fail_checks: { from: ['uploaded', 'validating'], to: 'rejected' },
    approve: { from: ['in_review'], to: 'accepted' },
    reject: { from: ['in_review'], to: 'rejected' },
    publish: { from: ['accepted'], to: 'published' },
    withdraw: { from: ['uploaded', 'validating', 'in_review', 'accepted', 'published'], to: 'withdrawn' },
  },
})
