import type { By, LabelMaker } from '../../contract/datasets/examples.schemas.ts'
import type { Principal } from '../auth/index.ts'

/** A person or a key, as labels, reviews and versions name who made them. */
export interface Actor {
  readonly kind: LabelMaker
  /** Of the person, whatever the session; or of the key. */
  readonly id: string
  readonly name: string
}

export function actorOf(principal: Principal): Actor {
  return principal.kind === 'session'
    ? { kind: 'person', id: principal.personId, name: principal.name }
    : { kind: 'key', id: principal.id, name: principal.name }
}

export function byActor({ kind, id, name }: Actor): By {
  return { kind, id, name }
}
