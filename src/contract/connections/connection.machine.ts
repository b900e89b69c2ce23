import { defineMachine } from '../machine.ts'

/** Only a `ready` connection can be quoted; any change requires a new check. */
export const connectionMachine = defineMachine({
  resource: 'connection',
  states: ['unchecked', 'ready', 'failing', 'disabled'],
  initial: 'unchecked',
  terminal: ['disabled'],
  events: {
    pass: { from: ['unchecked', 'ready', 'failing'], to: 'ready' },
    fail: { from: ['unchecked', 'ready', 'failing'], to: 'failing' },
    change: { from: ['unchecked', 'ready', 'failing'], to: 'unchecked' },
    disable: { from: ['unchecked', 'ready', 'failing'], to: 'disabled' },
  },
})
