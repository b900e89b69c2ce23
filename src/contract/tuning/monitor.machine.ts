import { defineMachine } from '../machine.ts'

export const tuneMonitorMachine = defineMachine({
  resource: 'monitor',
  states: ['active', 'paused', 'archived'],
  initial: 'active',
  terminal: ['archived'],
  events: {
    pause: { from: ['active'], to: 'paused' },
    resume: { from: ['paused'], to: 'active' },
    archive: { from: ['active', 'paused'], to: 'archived' },
  },
})
export type TuneMonitorStatus = (typeof tuneMonitorMachine.states)[number]

/** An occurrence that was interrupted stays `running` until it continues. */
export const tuneOccurrenceMachine = defineMachine({
  resource: 'occurrence',
  states: ['accepted', 'running', 'complete', 'failed', 'skipped'],
  initial: 'accepted',
  terminal: ['complete', 'failed', 'skipped'],
  events: {
    begin: { from: ['accepted'], to: 'running' },
    complete: { from: ['running'], to: 'complete' },
    fail: { from: ['accepted', 'running'], to: 'failed' },
    skip: { from: ['accepted'], to: 'skipped' },
  },
})
export type TuneOccurrenceStatus = (typeof tuneOccurrenceMachine.states)[number]
