import { allows, defineMachine } from '../machine.ts'

/** `backfilling` reads a window of the project's past; `attention` waits for new credentials, which `connected` and `paused` take as well. */
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
    reconnect: { from: ['attention', 'connected'], to: 'connected' },
    reconnect_paused: { from: ['paused'], to: 'paused' },
    reconnect_backfill: { from: ['attention'], to: 'backfilling' },
    disconnect: { from: ['connected', 'backfilling', 'paused', 'attention'], to: 'disconnected' },
  },
})

/** Whether its credentials can be replaced: after they were refused, or to rotate a key. A paused integration stays paused. */
export function takesCredentials(status: (typeof traceIntegrationMachine.states)[number]): boolean {
  return allows(traceIntegrationMachine, status, 'reconnect') || allows(traceIntegrationMachine, status, 'reconnect_paused')
}
