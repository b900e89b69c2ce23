import { defineMachine } from '../machine.ts'

/** Examples of an import are hidden while they are written. The final commit takes a moment and cannot be cancelled. */
export const datasetImportMachine = defineMachine({
  resource: 'dataset import',
  states: ['validating', 'writing', 'landing', 'previewed', 'imported', 'failed'],
  initial: 'validating',
  terminal: ['previewed', 'imported', 'failed'],
  events: {
    write: { from: ['validating'], to: 'writing' },
    preview: { from: ['validating'], to: 'previewed' },
    land: { from: ['writing'], to: 'landing' },
    finish: { from: ['landing'], to: 'imported' },
    fail: { from: ['validating', 'writing'], to: 'failed' },
  },
})
