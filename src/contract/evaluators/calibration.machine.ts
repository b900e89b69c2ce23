import { defineMachine } from '../machine.ts'

/** An interrupted calibration stays `running` until it continues; a retried one is queued again. */
export const calibrationMachine = defineMachine({
  resource: 'calibration',
  states: ['pending', 'running', 'resolved', 'failed'],
  initial: 'pending',
  terminal: ['resolved'],
  events: {
    begin: { from: ['pending'], to: 'running' },
    resolve: { from: ['running'], to: 'resolved' },
    fail: { from: ['pending', 'running'], to: 'failed' },
    retry: { from: ['failed'], to: 'pending' },
  },
})
