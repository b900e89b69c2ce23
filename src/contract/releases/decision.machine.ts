import { defineMachine } from '../machine.ts'

const open = ['draft', 'collecting', 'analyzing', 'awaiting_human'] as const

/** `resume` is for further tasks: the next look, or critical tasks to confirm. */
export const decisionMachine = defineMachine({
  resource: 'decision',
  states: ['draft', 'collecting', 'analyzing', 'awaiting_human', 'approved', 'rejected', 'inconclusive', 'cancelled'],
  initial: 'draft',
  terminal: ['approved', 'rejected', 'inconclusive', 'cancelled'],
  events: {
    collect: { from: ['draft'], to: 'collecting' },
    analyze: { from: ['collecting'], to: 'analyzing' },
    resume: { from: ['analyzing'], to: 'collecting' },
    await_human: { from: ['analyzing'], to: 'awaiting_human' },
    approve: { from: ['analyzing', 'awaiting_human'], to: 'approved' },
    reject: { from: ['analyzing', 'awaiting_human'], to: 'rejected' },
    conclude: { from: ['analyzing', 'awaiting_human'], to: 'inconclusive' },
    cancel: { from: open, to: 'cancelled' },
  },
})

export type DecisionStatus = (typeof decisionMachine.states)[number]
