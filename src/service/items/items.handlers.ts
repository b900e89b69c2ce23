import { itemScopes, notFound } from '../../contract/index.ts'
import type { itemsEndpoints } from '../../contract/items/items.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { changeItem, isItem, listFolders } from './items.store.ts'

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
    listFolders: ({ workspaceId }, { query }) => ({ items: listFolders(db, workspaceId, query.kind) }),
  }
}
