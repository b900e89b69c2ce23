import { defineMachine } from '../machine.ts'

/** A calibration that was interrupted stays `running` until it continues; one that is retried waits again. */
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
