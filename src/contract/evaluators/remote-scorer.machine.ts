import { defineMachine } from '../machine.ts'

/** A disabled scorer is never called; its past scores stay. */
export const remoteScorerMachine = defineMachine({
  resource: 'remote scorer',
  states: ['active', 'disabled'],
  initial: 'active',
  terminal: [],
  events: {
    disable: { from: ['active'], to: 'disabled' },
    enable: { from: ['disabled'], to: 'active' },
  },
})
