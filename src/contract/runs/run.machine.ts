import { defineMachine } from '../machine.ts'

export const runMachine = defineMachine({
  resource: 'run',
  states: ['queued', 'running', 'cancelling', 'complete', 'partial', 'failed', 'cancelled'],
  initial: 'queued',
  terminal: ['complete', 'partial', 'failed', 'cancelled'],
  events: {
    start: { from: ['queued'], to: 'running' },
    cancel: { from: ['queued', 'running'], to: 'cancelling' },
    complete: { from: ['running'], to: 'complete' },
    finish_partial: { from: ['running'], to: 'partial' },
    fail: { from: ['running'], to: 'failed' },
    finish_cancel: { from: ['cancelling'], to: 'cancelled' },
    /** A part gave scores to all that had none, or to some. */
    part_completes: { from: ['partial', 'failed', 'cancelled'], to: 'complete' },
    part_adds: { from: ['failed', 'cancelled'], to: 'partial' },
  },
})
export type RunStatus = (typeof runMachine.states)[number]

export const accountingMachine = defineMachine({
  resource: 'run accounting',
  states: ['none', 'held', 'metering', 'settled'],
  initial: 'none',
  terminal: ['settled'],
  events: {
    hold: { from: ['none'], to: 'held' },
    meter: { from: ['held'], to: 'metering' },
    settle: { from: ['held', 'metering'], to: 'settled' },
  },
})

/** The states of `sampleMachine`, and `excluded`, which the interface counts and nothing leads to yet. */
export const sampleStates = ['pending', 'calling', 'answered', 'scored', 'failed', 'excluded', 'missing', 'cancelled'] as const
export type SampleStatus = (typeof sampleStates)[number]
