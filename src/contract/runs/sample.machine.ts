import { defineMachine } from '../machine.ts'

/**
 * A sample waits (`pending`), is in a model call (`calling`), has an ungraded answer (`answered`), and ends in exactly one
 * outcome. Its states move many at a time, so the statements in `storage/runs` are made from these events.
 */
export const sampleMachine = defineMachine({
  resource: 'sample',
  states: ['pending', 'calling', 'answered', 'scored', 'failed', 'missing', 'cancelled'],
  initial: 'pending',
  terminal: ['scored', 'failed', 'missing', 'cancelled'],
  events: {
    claim: { from: ['pending'], to: 'calling' },
    /** Another attempt at the call, by the same claim. */
    call_again: { from: ['calling'], to: 'calling' },
    answer: { from: ['calling'], to: 'answered' },
    score: { from: ['answered'], to: 'scored' },
    fail: { from: ['calling'], to: 'failed' },
    miss: { from: ['calling'], to: 'missing' },
    cancel: { from: ['calling'], to: 'cancelled' },
    /** The service stopped during the call. */
    release: { from: ['calling'], to: 'pending' },
    miss_waiting: { from: ['pending'], to: 'missing' },
    cancel_waiting: { from: ['pending'], to: 'cancelled' },
    /** The run is cancelled after its execution was interrupted, with samples in any non-terminal state. */
    abandon: { from: ['pending', 'calling', 'answered'], to: 'cancelled' },
    /** A part of the run has a score for it. */
    merge: { from: ['scored', 'failed', 'missing', 'cancelled'], to: 'scored' },
  },
})
export type SampleEvent = keyof typeof sampleMachine.events
