import { defineMachine } from '../machine.ts'

/** A machine that works for this service. One that was given up as lost joins again with its next heartbeat. */
export const workerMachine = defineMachine({
  resource: 'worker',
  states: ['active', 'draining', 'left', 'lost'],
  initial: 'active',
  terminal: ['left'],
  events: {
    drain: { from: ['active'], to: 'draining' },
    leave: { from: ['active', 'draining', 'lost'], to: 'left' },
    lose: { from: ['active', 'draining'], to: 'lost' },
    rejoin: { from: ['lost'], to: 'active' },
  },
})
