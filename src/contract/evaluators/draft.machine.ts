import { defineMachine } from '../machine.ts'

export const draftMachine = defineMachine({
  resource: 'evaluator draft',
  states: ['queued', 'running', 'ready', 'failed'],
  initial: 'queued',
  terminal: ['ready'],
  events: {
    begin: { from: ['queued'], to: 'running' },
    ready: { from: ['running'], to: 'ready' },
    fail: { from: ['queued', 'running'], to: 'failed' },
    retry: { from: ['failed'], to: 'queued' },
  },
})
