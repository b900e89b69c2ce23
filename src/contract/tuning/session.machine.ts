import { defineMachine } from '../machine.ts'

/** A session may be quoted and raced again after it has ended; only a cancelled one is over. */
export const tuneSessionMachine = defineMachine({
  resource: 'tune session',
  states: ['draft', 'approved', 'quoted', 'running', 'complete', 'partial', 'failed', 'cancelled'],
  initial: 'draft',
  terminal: ['cancelled'],
  events: {
    approve: { from: ['draft'], to: 'approved' },
    quote: { from: ['approved', 'quoted', 'complete', 'partial', 'failed'], to: 'quoted' },
    start: { from: ['quoted'], to: 'running' },
    complete: { from: ['running'], to: 'complete' },
    finish_partial: { from: ['running'], to: 'partial' },
    fail: { from: ['running'], to: 'failed' },
    cancel: { from: ['draft', 'approved', 'quoted', 'running'], to: 'cancelled' },
  },
})
export type TuneSessionStatus = (typeof tuneSessionMachine.states)[number]
