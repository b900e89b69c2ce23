import type { By } from '../../contract/datasets/examples.schemas.ts'
import type { Principal } from '../auth/index.ts'

/** Who made something, as records name people and keys: a person whatever the session. */
export function byOf(principal: Principal): By {
  return principal.kind === 'session'
    ? { kind: 'person', id: principal.personId, name: principal.name }
    : { kind: 'key', id: principal.id, name: principal.name }
}
