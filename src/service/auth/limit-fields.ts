import { type Principal, requireRole, type WorkspaceMembership } from './principal.ts'

/**
 * Fields that are a spending limit, or that one is computed from, by operation: with them a key could raise its own limit. The caps of
 * work that a request starts or raises are not such fields: `startWork` holds them against the limits of whoever asks.
 */
export const limitFields = {
  'createApiKey.ceiling_microusd': 'set the spending limit of a key',
  'createApiKey.provider_ceiling_microusd': 'set the spending limit of a key',
  'setKeyCeiling.ceiling_microusd': 'set or clear the spending limit of a key',
  'setKeyCeiling.provider_ceiling_microusd': 'set or clear the spending limit of a key',
  'createConnection.rates': 'state what a connection costs, which spending limits are computed from',
  'updateConnection.rates': 'state what a connection costs, which spending limits are computed from',
  'setLocalRouteRates.rates': 'state what a local model costs, which spending limits are computed from',
} as const

/** @throws ApiError owner_session_required for keys, and for members */
export function requireLimitSetter(
  { principal, workspace }: { readonly principal: Principal; readonly workspace: WorkspaceMembership },
  field: keyof typeof limitFields,
): void {
  requireRole(principal, workspace, ['owner', 'admin'], limitFields[field])
}
