export { findSession } from './auth.store.ts'
export { authenticate, type Credentials, presentedToken, sessionCookie } from './authenticate.ts'
export { chooseWorkspace, demandRole, demandScope, type Principal, scopesIn, type WorkspaceMembership } from './principal.ts'
export { hashToken, newPairingCode, newToken, normalisePairingCode } from './tokens.ts'
