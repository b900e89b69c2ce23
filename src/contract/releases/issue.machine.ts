import { defineMachine } from '../machine.ts'

/** An issue that releases are judged by. `link` adds tasks to any issue that is not closed and changes no state. */
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
