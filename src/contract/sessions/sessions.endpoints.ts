import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Me, PairingBody, PairingCode } from './sessions.schemas.ts'

export const sessionsEndpoints = endpoints('Sessions', {
  pair: {
    route: 'POST /v1/sessions/pair',
    summary: 'Sign a browser in with a one-time pairing code',
    description: 'Sets the session cookie. A code works once within ten minutes. After ten wrong codes, further wrong ones are delayed.',
    scope: 'public',
    body: PairingBody,
    response: Me,
    errors: ['unauthenticated', 'rate_limited'],
  },
  createPairingCode: {
    route: 'POST /v1/sessions/pairing-codes',
    summary: 'Create a new pairing code',
    description: 'For owner sessions; used by the command `pair`. The previous code stops working.',
    scope: 'principal',
    status: 201,
    idempotent: 'sealed',
    response: PairingCode,
    errors: ['owner_session_required'],
  },
  signOut: {
    route: 'DELETE /v1/sessions/current',
    summary: 'Sign out',
    description: 'Ends the session that sent the request; its cookie and token stop working at once.',
    scope: 'principal',
    response: z.strictObject({ ok: z.literal(true) }),
    errors: ['conflict'],
  },
  getMe: {
    route: 'GET /v1/me',
    summary: 'Read the current principal',
    description: 'Who the key or session is, its scopes and limits, and the workspaces that it may name in X-Workspace-ID.',
    scope: 'principal',
    response: Me,
  },
})
