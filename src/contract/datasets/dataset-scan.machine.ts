import { defineMachine } from '../machine.ts'

export const datasetScanMachine = defineMachine({
  resource: 'dataset scan',
  states: ['queued', 'running', 'succeeded', 'failed'],
  initial: 'queued',
  terminal: ['succeeded', 'failed'],
  events: {
    begin: { from: ['queued'], to: 'running' },
    succeed: { from: ['running'], to: 'succeeded' },
    fail: { from: ['queued', 'running'], to: 'failed' },
  },
})
