export { findSession, personOfSession } from './auth.store.ts'
export { authenticate, type Credentials, presentedToken, sessionCookie } from './authenticate.ts'
export { limitFields, requireLimitSetter } from './limit-fields.ts'
export {
  chooseWorkspace,
  requireRole,
  requireScope,
  memberScopesOf,
  type Principal,
  scopesIn,
  type WorkspaceMembership,
} from './principal.ts'
export { createIdentityProver, identityProof } from './prove-identity.ts'
export { createBucket, createThrottle, type Rate, type Throttle, usualKeyRate } from './throttle.ts'
export { hashToken, newPairingCode, newToken, normalizePairingCode } from './tokens.ts'
