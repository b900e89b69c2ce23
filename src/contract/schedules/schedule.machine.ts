import { defineMachine } from '../machine.ts'

/** `suspend` is a pause that the service makes: a limit was reached, or what was frozen has changed. */
export const scheduleMachine = defineMachine({
  resource: 'schedule',
  states: ['active', 'paused', 'archived'],
  initial: 'active',
  terminal: ['archived'],
  events: {
    pause: { from: ['active'], to: 'paused' },
    suspend: { from: ['active'], to: 'paused' },
    resume: { from: ['paused'], to: 'active' },
    archive: { from: ['active', 'paused'], to: 'archived' },
  },
})
export type ScheduleStatus = (typeof scheduleMachine.states)[number]

/** A `due` occurrence that a kill interrupted is started at the next start of the service. */
export const scheduleOccurrenceMachine = defineMachine({
  resource: 'schedule occurrence',
  states: ['due', 'started', 'ended', 'skipped', 'failed'],
  initial: 'due',
  terminal: ['ended', 'skipped', 'failed'],
  events: {
    start: { from: ['due'], to: 'started' },
    end: { from: ['started'], to: 'ended' },
    skip: { from: ['due'], to: 'skipped' },
    fail: { from: ['due'], to: 'failed' },
  },
})
export type ScheduleOccurrenceStatus = (typeof scheduleOccurrenceMachine.states)[number]
