import { ApiError, notFound } from '../../contract/errors.ts'
import { itemScopes } from '../../contract/items/items.schemas.ts'
import type { itemsEndpoints } from '../../contract/items/items.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { changeItem, deleteItem, isItem, listFolders, usesOf } from './items.store.ts'

export function itemsHandlers({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Handlers<typeof itemsEndpoints> {
  return {
    changeItems: ({ principal, workspace, workspaceId }, { body: { kind, ids, ...changes } }) => {
      requireScope(principal, workspace, itemScopes[kind])
      return db.transaction(() => ({
        items: [...new Set(ids)].map(id => {
          if (!isItem(db, workspaceId, kind, id)) throw notFound(kind, id)
          return changeItem(db, workspaceId, { kind, id, at: timestamp(clock), ...changes })
        }),
      }))
    },
    listItemUses: ({ workspaceId }, { query: { kind, id } }) => {
      if (!isItem(db, workspaceId, kind, id)) throw notFound(kind, id)
      return { items: usesOf(db, workspaceId, kind, id, 20) }
    },
    deleteItem: ({ principal, workspace, workspaceId }, { query: { kind, id } }) => {
      requireScope(principal, workspace, itemScopes[kind])
      return db.transaction(() => {
        if (!isItem(db, workspaceId, kind, id)) throw notFound(kind, id)
        const uses = usesOf(db, workspaceId, kind, id, 5)
        if (uses.length > 0)
          throw new ApiError(
            'conflict',
            `The ${kind} is used by ${uses.map(use => `the ${use.kind.replace('_', ' ')} "${use.name}"`).join(', ')}, so it cannot be deleted. Archive it instead.`,
          )
        deleteItem(db, workspaceId, kind, id)
        return { kind, id }
      })
    },
    listFolders: ({ workspaceId }, { query }) => ({ items: listFolders(db, workspaceId, query.kind) }),
  }
}
