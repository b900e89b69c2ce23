import { defineMachine } from '../machine.ts'

/** Examples of an import are invisible until every row of its files was checked and written. */
export const datasetImportMachine = defineMachine({
  resource: 'dataset import',
  states: ['validating', 'writing', 'previewed', 'imported', 'failed'],
  initial: 'validating',
  terminal: ['previewed', 'imported', 'failed'],
  events: {
    write: { from: ['validating'], to: 'writing' },
    preview: { from: ['validating'], to: 'previewed' },
    land: { from: ['writing'], to: 'imported' },
    fail: { from: ['validating', 'writing'], to: 'failed' },
  },
})
