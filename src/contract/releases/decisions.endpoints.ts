import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { filingQuery } from '../items/items.schemas.ts'
import { paging, Uuid } from '../primitives.ts'
import { decisionMachine } from './decision.machine.ts'
import { Decision, DecisionPage, DecisionStep, NewDecision, NewPlanPreview, PlanPreview } from './decisions.schemas.ts'

const params = z.strictObject({ decision_id: Uuid })

export const releaseDecisionsEndpoints = endpoints('Releases', {
  createReleaseDecision: {
    route: 'POST /v1/releases/decisions',
    summary: 'Plan a release decision',
    description:
      'Freezes models, tasks, prompts, policy, α and looks into `plan_digest` before any result is seen. Does not start evaluations; use `advance`.',
    scope: 'releases:write',
    status: 201,
    idempotent: 'stored',
    body: NewDecision,
    response: Decision,
    errors: ['not_found', 'task_unavailable', 'conflict'],
  },
  previewReleasePlan: {
    route: 'POST /v1/releases/decisions/preview',
    summary: 'Preview what a release plan can detect',
    description:
      'For sizes of groups and rules: the margin that each paired rule can find, and the rules that no candidate can pass. Nothing is stored. Quotes state calls, price and time.',
    scope: 'releases:read',
    body: NewPlanPreview,
    response: PlanPreview,
  },
  listReleaseDecisions: {
    route: 'GET /v1/releases/decisions',
    summary: 'List release decisions',
    description: 'Newest first; `status` filters.',
    scope: 'releases:read',
    query: z.strictObject({
      ...paging(25),
      ...filingQuery,
      q: z.string().max(200).default('').describe('Words, "phrases" and -exclusions in any order, in the name.'),
      status: z.enum(decisionMachine.states).optional(),
    }),
    response: DecisionPage,
    errors: ['invalid_cursor'],
  },
  getReleaseDecision: {
    route: 'GET /v1/releases/decisions/{decision_id}',
    summary: 'Read a release decision with its rules and open needs',
    description: 'Each rule with its figures and outcome, and what it waits for.',
    scope: 'releases:read',
    params,
    response: Decision,
  },
  advanceReleaseDecision: {
    route: 'POST /v1/releases/decisions/{decision_id}/advance',
    summary: 'Advance a release decision',
    description:
      'Starts missing evaluations, charged to the caller; analyzes when they have ended; closes the decision when people have decided. Idempotent: each step is executed once. `did` lists completed steps and `missing` what the next step needs.',
    scope: 'releases:write',
    params,
    response: DecisionStep,
    errors: ['illegal_transition', 'conflict', 'task_unavailable', 'quote_incompatible'],
  },
  cancelReleaseDecision: {
    route: 'POST /v1/releases/decisions/{decision_id}/cancel',
    summary: 'Cancel a release decision',
    description: 'The decision is cancelled immediately; its evaluations stay `cancelling` until they have stopped. Repeating it is safe.',
    scope: 'releases:write',
    params,
    response: DecisionStep,
    errors: ['illegal_transition'],
  },
  getReleaseRecord: {
    route: 'GET /v1/releases/decisions/{decision_id}/record',
    summary: 'Download the signed record of a closed decision',
    description:
      '`json`: the RFC 8785 document. `html`: the same to read. `dsse`: the document with two signed in-toto statements, checked offline by `assay verify`.',
    scope: 'releases:read',
    kind: 'file',
    params,
    query: z.strictObject({ format: z.enum(['json', 'html', 'dsse']).default('json') }),
    files: ['application/json', 'text/html', 'application/vnd.in-toto+dsse'],
    fileExamples: {
      'application/json': '{"_type":"urn:assay:release-record:v1","decision":{"name":"Release 2.1","status":"approved"}}',
      'application/vnd.in-toto+dsse':
        '{"_type":"urn:assay:release-record-bundle:v1","envelopes":[{"payload":"eyJfdHlwZSI6…","payloadType":"application/vnd.in-toto+json","signatures":[{"keyid":"9f86d081…","sig":"MEUCIQ…"}]}],"public_key":"MCowBQYDK2VwAyEA…"}',
    },
    errors: ['result_not_ready', 'unavailable'],
  },
})
