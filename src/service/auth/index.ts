export { findSession } from './auth.store.ts'
export { authenticate, type Credentials, sessionCookie } from './authenticate.ts'
export { chooseWorkspace, demandScope, type Principal, scopesIn, type WorkspaceMembership } from './principal.ts'
export { hashToken, newPairingCode, newToken, normalisePairingCode, sameHash } from './tokens.ts'
