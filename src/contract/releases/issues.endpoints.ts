import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { issueMachine } from './issue.machine.ts'
import { Issue, IssueDetail, IssueEventResult, NewIssueEvent, ReleaseCoverage } from './issues.schemas.ts'

export const issuesEndpoints = endpoints('Releases', {
  createIssueEvent: {
    route: 'POST /v1/releases/issues/events',
    summary: 'Add an event to an issue',
    description: 'Events are append-only; the issue is derived from them.',
    scope: 'releases:write',
    status: 201,
    idempotent: 'stored',
    body: NewIssueEvent,
    response: IssueEventResult,
    errors: ['not_found', 'illegal_transition', 'conflict', 'task_unavailable'],
  },
  listIssues: {
    route: 'GET /v1/releases/issues',
    summary: 'List issues',
    description: 'Newest first.',
    scope: 'releases:read',
    query: z.strictObject({ ...paging(), status: z.enum(issueMachine.states).optional() }),
    response: page(Issue),
    errors: ['invalid_cursor'],
  },
  getIssue: {
    route: 'GET /v1/releases/issues/{issue_id}',
    summary: 'Read an issue with its events',
    description: 'What a rejected decision left to mend, and what happened since.',
    scope: 'releases:read',
    params: z.strictObject({ issue_id: Uuid }),
    response: IssueDetail,
  },
  getReleaseCoverage: {
    route: 'GET /v1/releases/coverage/{suite_id}',
    summary: 'Read the coverage of a release suite',
    description: '`suite_id` is the `id` of a release suite’s version.',
    scope: 'releases:read',
    params: z.strictObject({ suite_id: Uuid }),
    response: ReleaseCoverage,
  },
})
