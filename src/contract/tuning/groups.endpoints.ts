import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Uuid } from '../primitives.ts'
import { TuneExport } from './export.schemas.ts'
import { NewTuneQuote, TuneQuote } from './quotes.schemas.ts'
import { NewTuneApproval, TuneSession, TuneStart } from './sessions.schemas.ts'

const params = z.strictObject({ session_id: Uuid })

/** A session after its draft: approval, quotes, run groups, export. */
export const tuneGroupsEndpoints = endpoints('Tuning', {
  approveTuneSession: {
    route: 'POST /v1/tune-sessions/{session_id}/approve',
    summary: 'Approve a draft',
    description:
      'Requires a person: the reviewed draft becomes a private benchmark. With `auto` the service quotes and starts automatically.',
    scope: 'tuning:write',
    params,
    body: NewTuneApproval,
    response: TuneSession,
    errors: ['human_approval_required', 'conflict', 'illegal_transition'],
  },
  createTuneQuote: {
    route: 'POST /v1/tune-sessions/{session_id}/quotes',
    summary: 'Quote a run group',
    description: 'The current route at the effort of the call is added; candidates follow. Nothing is started.',
    scope: 'tuning:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    params,
    body: NewTuneQuote,
    response: TuneQuote,
    errors: ['illegal_transition', 'conflict'],
  },
  getTuneQuote: {
    route: 'GET /v1/tune-sessions/{session_id}/quotes/{quote_id}',
    summary: 'Read a quote of a run group',
    description: 'Cost and what the race can tell, for each arm.',
    scope: 'tuning:read',
    params: z.strictObject({ session_id: Uuid, quote_id: Uuid }),
    response: TuneQuote,
  },
  startTuneGroup: {
    route: 'POST /v1/tune-sessions/{session_id}/start',
    summary: 'Start a quoted run group',
    description: 'Each arm is a separate run. The same quote and key return the same session.',
    scope: 'tuning:write',
    headers: { 'idempotency-key': { required: true, description: 'Operation key, persisted by the client before the request.' } },
    idempotent: 'own',
    params,
    body: TuneStart,
    response: TuneSession,
    errors: ['illegal_transition', 'quote_expired', 'quote_incompatible', 'insufficient_credit', 'spend_ceiling_reached', 'conflict'],
  },
  cancelTuneSession: {
    route: 'POST /v1/tune-sessions/{session_id}/cancel',
    summary: 'Cancel a session',
    description: 'The session is cancelled at once; runs of its arms show `cancelling` until their calls have ended.',
    scope: 'tuning:write',
    params,
    response: TuneSession,
    errors: ['illegal_transition'],
  },
  exportTuneSession: {
    route: 'GET /v1/tune-sessions/{session_id}/export',
    summary: 'Export a session with its recommendation',
    description: 'The recommended call as code and as data.',
    scope: 'tuning:read',
    params,
    response: TuneExport,
    errors: ['result_not_ready'],
  },
})
