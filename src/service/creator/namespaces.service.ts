import { createHash, createPublicKey } from 'node:crypto'
import type { KeyConfirmation, Namespace, NewNamespace } from '../../contract/creator/namespaces.schemas.ts'
import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import { recipes } from '../../engine/importing/recipes/recipes.ts'
import { reservedName, skeleton } from '../../engine/importing/packages/names.ts'
import { requireRole } from '../auth/index.ts'
import type { WorkspaceContext } from '../http/handler.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import {
  countNamespaces,
  findNamespace,
  insertNamespace,
  isTaken,
  listNamespaces,
  setVerification,
  shippedProviders,
  toNamespace,
} from './namespaces.store.ts'
import type { PageQuery } from '../../storage/keyset.ts'

/** Namespaces that one workspace may register. */
const mostNamespaces = 20

export type Namespaces = ReturnType<typeof createNamespaces>

export function createNamespaces({ db, clock }: Pick<Kernel, 'db' | 'clock'>) {
  return {
    list: (workspaceId: string, query: PageQuery) => listNamespaces(db, workspaceId, query),
    create: (workspaceId: string, { name, title, description, public_key }: NewNamespace): Namespace => {
      const providers = [...shippedProviders(db), ...recipes.map(recipe => recipe.definition.provider)]
      const reserved = reservedName(name, providers)
      if (reserved !== null)
        throw invalidField(
          ['body', 'name'],
          `"${name}" is reserved${reserved === name ? '' : ` because it reads like "${reserved}"`}. Choose another name.`,
        )
      const fingerprint = public_key === undefined ? null : fingerprintOf(public_key)
      return db.transaction(() => {
        if (countNamespaces(db, workspaceId) >= mostNamespaces)
          throw new ApiError('conflict', `This workspace has ${mostNamespaces} namespaces already, which is the limit.`)
        if (isTaken(db, skeleton(name)))
          throw new ApiError('conflict', `The name "${name}" is taken, or too similar to one that is. Choose another name.`)
        insertNamespace(db, workspaceId, {
          name,
          skeleton: skeleton(name),
          title,
          description,
          verification: fingerprint === null ? 'none' : 'key_registered',
          publicKey: public_key ?? null,
          fingerprint,
          createdAt: timestamp(clock),
        })
        const row = findNamespace(db, workspaceId, name)
        if (!row) throw new Error(`The namespace ${name} is missing right after it was stored.`)
        return toNamespace(row)
      })
    },
    confirmKey: (
      { workspaceId, workspace, principal }: Pick<WorkspaceContext, 'workspaceId' | 'workspace' | 'principal'>,
      name: string,
      { key_fingerprint: fingerprint }: KeyConfirmation,
    ): Namespace => {
      requireRole(principal, workspace, ['owner'], 'confirm the key of a namespace')
      return db.transaction(() => {
        const row = requireFound(findNamespace(db, workspaceId, name), 'namespace', name)
        if (row.key_fingerprint === null)
          throw new ApiError('conflict', `The namespace "${name}" has no key. Register its packages’ author with a key to confirm one.`)
        if (row.key_fingerprint !== fingerprint)
          throw invalidField(
            ['body', 'key_fingerprint'],
            'is not the fingerprint of the registered key. Do not confirm it: ask the author which key is theirs.',
          )
        setVerification(db, name, 'key_confirmed')
        return toNamespace({ ...row, verification: 'key_confirmed' })
      })
    },
  }
}

/** SHA-256 of an Ed25519 public key's DER bytes. */
function fingerprintOf(pem: string): string {
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType === 'ed25519')
      return createHash('sha256')
        .update(key.export({ type: 'spki', format: 'der' }))
        .digest('hex')
  } catch {
    // Said below: whatever is wrong with it, it cannot be used.
  }
  throw invalidField(['body', 'public_key'], 'must be an Ed25519 public key in SPKI PEM ("-----BEGIN PUBLIC KEY-----").')
}
