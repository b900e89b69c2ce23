import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Me, PairingBody, PairingCode } from './sessions.schemas.ts'

const tag = 'Sessions'

export const sessionsEndpoints = endpoints({
  pair: {
    method: 'POST',
    path: '/v1/sessions/pair',
    tag,
    summary: 'Sign a browser in with a one-time pairing code',
    description: 'Sets the session cookie. A code works once within ten minutes. After ten wrong codes, further wrong ones are delayed.',
    scope: 'public',
    status: 200,
    kind: 'json',
    body: PairingBody,
    response: Me,
    errors: ['unauthenticated', 'rate_limited'],
  },
  createPairingCode: {
    method: 'POST',
    path: '/v1/sessions/pairing-codes',
    tag,
    summary: 'Create a new pairing code',
    description: 'For owner sessions; used by the command `pair`. The previous code stops working.',
    scope: 'principal',
    status: 201,
    kind: 'json',
    idempotent: 'sealed',
    response: PairingCode,
    errors: ['owner_session_required'],
  },
  signOut: {
    method: 'DELETE',
    path: '/v1/sessions/current',
    tag,
    summary: 'Sign out',
    description: 'Ends the session that sent the request; its cookie and token stop working at once.',
    scope: 'principal',
    status: 200,
    kind: 'json',
    response: z.strictObject({ ok: z.literal(true) }),
    errors: ['conflict'],
  },
  getMe: {
    method: 'GET',
    path: '/v1/me',
    tag,
    summary: 'Read the current principal',
    description: 'Who the key or session is, its scopes and limits, and the workspaces that it may name in X-Workspace-ID.',
    scope: 'principal',
    status: 200,
    kind: 'json',
    response: Me,
  },
})
