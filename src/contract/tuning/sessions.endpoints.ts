import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { filingQuery } from '../items/items.schemas.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { casesShown, TuneCase, TuneDraftPatch } from './draft.schemas.ts'
import { tuneSessionMachine } from './session.machine.ts'
import { NewTuneSession, TuneSession, TuneSessionListItem } from './sessions.schemas.ts'

const params = z.strictObject({ session_id: Uuid })
/** Cases come in batches of at most this many bytes. */
const maxBody = 16 * 1024 * 1024

export const tuneSessionsEndpoints = endpoints('Tuning', {
  listTuneSessions: {
    route: 'GET /v1/tune-sessions',
    summary: 'List tuning sessions, newest first',
    description: 'With the state of their latest run group.',
    scope: 'tuning:read',
    query: z.strictObject({
      ...paging(25),
      ...filingQuery,
      q: z.string().max(200).default('').describe('Part of a name.'),
      status: z.enum(tuneSessionMachine.states).optional(),
    }),
    response: page(TuneSessionListItem),
    errors: ['invalid_cursor'],
  },
  createTuneSession: {
    route: 'POST /v1/tune-sessions',
    summary: 'Create a tuning session',
    description:
      'A session finds the cheapest model, effort or prompt that is not worse than the current one. At most 16 MiB; send further cases with PATCH. `from_run` also needs the scope runs:read.',
    scope: 'tuning:write',
    status: 201,
    idempotent: 'stored',
    computes: true,
    maxBody,
    query: z.strictObject({
      _automation: z.boolean().default(false).describe('Created by an agent or pipeline: incomplete drafts are refused.'),
    }),
    body: NewTuneSession,
    response: TuneSession,
    errors: ['not_found', 'missing_scope'],
  },
  getTuneSession: {
    route: 'GET /v1/tune-sessions/{session_id}',
    summary: 'Read a tuning session',
    description: 'The call that is tuned, its objective, its groups and its recommendation.',
    scope: 'tuning:read',
    params,
    query: z.strictObject({
      revision: z.int().min(1).optional().describe('Draft revision; the current one when absent.'),
      cases: z.int().min(0).max(casesShown).default(casesShown).describe('Most cases of the draft in the reply; 0 for progress alone.'),
    }),
    response: TuneSession,
  },
  listTuneCases: {
    route: 'GET /v1/tune-sessions/{session_id}/cases',
    summary: 'List a draft’s cases in their order',
    description: 'Edit them before the session is approved.',
    scope: 'tuning:read',
    params,
    query: z.strictObject({ ...paging(), revision: z.int().min(1).optional().describe('The current one when absent.') }),
    response: page(TuneCase),
    errors: ['invalid_cursor'],
  },
  patchTuneDraft: {
    route: 'PATCH /v1/tune-sessions/{session_id}/draft',
    summary: 'Edit a draft',
    description: 'Creates the next revision. A case keeps its origin while its input, expected answer and metadata are unchanged.',
    scope: 'tuning:write',
    computes: true,
    maxBody,
    params,
    body: TuneDraftPatch,
    response: TuneSession,
    errors: ['conflict', 'illegal_transition'],
  },
})
