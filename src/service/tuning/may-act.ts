import { isKeyActive } from '../keys/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findMember } from '../workspace/index.ts'

/** Who created a session or monitor, and so whose wallet and key pay for its background work. */
export interface BackgroundOwner {
  readonly workspace_id: string
  readonly owner_kind: 'person' | 'api_key'
  readonly owner_id: string
}

/** Whether background work may still be charged to its owner: a key that is valid, or a person who is still a member. */
export function mayAct({ db, clock }: Pick<Kernel, 'db' | 'clock'>, { workspace_id, owner_kind, owner_id }: BackgroundOwner): boolean {
  return owner_kind === 'api_key'
    ? isKeyActive(db, workspace_id, owner_id, timestamp(clock))
    : findMember(db, workspace_id, owner_id) !== null
}
