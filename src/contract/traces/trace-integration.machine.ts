import { defineMachine } from '../machine.ts'

/** `backfilling` reads a window of the project's past; `attention` waits for new credentials. */
export const traceIntegrationMachine = defineMachine({
  resource: 'integration',
  states: ['connected', 'backfilling', 'paused', 'attention', 'disconnected'],
  initial: 'connected',
  terminal: ['disconnected'],
  events: {
    backfill: { from: ['connected'], to: 'backfilling' },
    finish: { from: ['backfilling'], to: 'connected' },
    pause: { from: ['connected', 'backfilling'], to: 'paused' },
    resume: { from: ['paused'], to: 'connected' },
    resume_backfill: { from: ['paused'], to: 'backfilling' },
    lose_access: { from: ['connected', 'backfilling'], to: 'attention' },
    reconnect: { from: ['attention'], to: 'connected' },
    reconnect_backfill: { from: ['attention'], to: 'backfilling' },
    disconnect: { from: ['connected', 'backfilling', 'paused', 'attention'], to: 'disconnected' },
  },
})
