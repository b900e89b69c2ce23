import type { Api, Request } from '../../src/contract/index.ts'

/** A complete draft: short questions with their answers, answered by a built-in baseline. */
export function newSession(cases = 3): Request<Api['createTuneSession']>['body'] {
  return {
    name: 'Ticket triage',
    call: {
      model: { kind: 'managed', route_id: 'assay/oracle-75' },
      prompt_template: 'Sort this ticket: {input}',
      source: { kind: 'manual' },
    },
    grader: { scorer: 'assay/exact_match' },
    cases: Array.from({ length: cases }, (_, i) => ({
      id: `case-${i}`,
      input: `Ticket ${i}`,
      expected: `label-${i % 3}`,
      origin: { kind: 'trace', ref: `trace-${i}` } as const,
    })),
  }
}
