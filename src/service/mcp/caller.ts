import { ServiceError } from '../../contract/client.ts'
import { lacksScope } from '../../contract/scopes.ts'
import type { Caller, Tool } from './tool.ts'

/** Whether a key is shown a tool. */
export function mayUse({ scopes }: Caller, tool: Tool): boolean {
  return tool.scopes.every(scope => scopes.includes(scope))
}

/** Before anything is read or begun, as the interface refuses each of the tool's requests. @throws ServiceError missing_scope */
export function requireScopes(caller: Caller, tool: Tool): void {
  const missing = tool.scopes.find(scope => !caller.scopes.includes(scope))
  if (missing !== undefined) throw new ServiceError(403, 'missing_scope', lacksScope(caller, missing), null)
}
