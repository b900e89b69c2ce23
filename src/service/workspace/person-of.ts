import { ApiError } from '../../contract/errors.ts'
import type { Principal } from '../auth/index.ts'

/** @throws ApiError human_approval_required for keys */
export function personOf(principal: Principal): Extract<Principal, { kind: 'session' }> {
  if (principal.kind === 'session') return principal
  throw new ApiError('human_approval_required', 'Only a signed-in person may do this; a key may not.')
}
