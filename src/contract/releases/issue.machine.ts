import { defineMachine } from '../machine.ts'

/** An issue considered in release decisions. `link` adds tasks to any open issue without a state change. */
export const issueMachine = defineMachine({
  resource: 'issue',
  states: ['open', 'reproduced', 'fixed', 'regressed', 'closed'],
  initial: 'open',
  terminal: [],
  events: {
    reproduce: { from: ['open', 'regressed'], to: 'reproduced' },
    fix: { from: ['open', 'reproduced', 'regressed'], to: 'fixed' },
    regress: { from: ['fixed', 'closed'], to: 'regressed' },
    close: { from: ['open', 'reproduced', 'fixed', 'regressed'], to: 'closed' },
  },
})
