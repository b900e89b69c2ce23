import { defineMachine } from '../machine.ts'

/** An import succeeds as a whole or leaves no data. */
export const importMachine = defineMachine({
  resource: 'import',
  states: ['validating', 'previewed', 'imported', 'failed'],
  initial: 'validating',
  terminal: ['previewed', 'imported', 'failed'],
  events: {
    preview: { from: ['validating'], to: 'previewed' },
    land: { from: ['validating'], to: 'imported' },
    fail: { from: ['validating'], to: 'failed' },
    retry: { from: ['failed'], to: 'validating' },
  },
})
