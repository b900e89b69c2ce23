import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { Principal } from '../auth/index.ts'

/** Whoever asks owns what they start. */
export function jobOwner(principal: Principal): JobOwner {
  return principal.kind === 'session' ? { kind: 'person', id: principal.personId } : { kind: 'api_key', id: principal.id }
}
