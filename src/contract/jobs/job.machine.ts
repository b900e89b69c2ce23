import { defineMachine } from '../machine.ts'

/** Work that takes longer than a request. A running job is queued again when the service stops or is killed. */
export const jobMachine = defineMachine({
  resource: 'job',
  states: ['queued', 'running', 'succeeded', 'failed', 'cancelled'],
  initial: 'queued',
  terminal: ['succeeded', 'failed', 'cancelled'],
  events: {
    claim: { from: ['queued'], to: 'running' },
    requeue: { from: ['running'], to: 'queued' },
    succeed: { from: ['running'], to: 'succeeded' },
    fail: { from: ['queued', 'running'], to: 'failed' },
    cancel: { from: ['queued', 'running'], to: 'cancelled' },
    retry: { from: ['failed', 'cancelled'], to: 'queued' },
  },
})
