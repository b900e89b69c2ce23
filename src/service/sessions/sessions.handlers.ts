import { ApiError } from '../../contract/errors.ts'
import type { sessionsEndpoints } from '../../contract/sessions/sessions.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import { describe, type Sessions } from './sessions.service.ts'

export function sessionsHandlers(sessions: Sessions, baseUrl: () => string): Handlers<typeof sessionsEndpoints> {
  return {
    pair: (context, { body }) => {
      const { token, expiresAt, me } = sessions.pair(body.code)
      context.setSessionCookie(token, expiresAt)
      return me
    },
    createPairingCode: ({ principal }) => {
      const owner = principal.kind === 'session' && principal.workspaces.some(w => w.role === 'owner')
      if (principal.kind !== 'session' || !owner)
        throw new ApiError('owner_session_required', 'Only an owner session may print pairing codes.')
      const { code, expiresAt } = sessions.createPairingCode(principal.personId)
      return { code, expires_at: expiresAt, address: baseUrl() }
    },
    signOut: context => {
      sessions.signOut(context.principal)
      context.setSessionCookie(null)
      return { ok: true as const }
    },
    getMe: ({ principal }) => describe(principal),
  }
}
