import { createHmac, randomBytes } from 'node:crypto'
import type { Kernel } from '../kernel.ts'
import { findHostSessionHash, findKeyHash } from './auth.store.ts'

/** What a client asks to be proven. */
export interface Question {
  readonly nonce: string
  /** First characters of a key; the host's own session where absent. */
  readonly key?: string | undefined
  /** As the client asked for it, e.g. `127.0.0.1:4747`: who passes the question on from another port gets a proof that fits only this one. */
  readonly authority: string
}

/** Answers who asks with a proof that only holders of the token's hash can make. An unknown key gets one, too, that fits no token. */
type IdentityProver = (question: Question) => string

export function createIdentityProver({ db }: Kernel): IdentityProver {
  const nobody = randomBytes(32).toString('hex')
  return ({ nonce, key, authority }) => {
    const hash = key === undefined ? findHostSessionHash(db) : findKeyHash(db, key)
    return identityProof(hash ?? nobody, authority, nonce)
  }
}

/** @param tokenHash SHA-256 of the token in lower-case hex */
export function identityProof(tokenHash: string, authority: string, nonce: string): string {
  return createHmac('sha256', tokenHash).update(['assay-identity', authority, nonce].join('\n')).digest('hex')
}
