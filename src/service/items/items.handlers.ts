import { ApiError, notFound } from '../../contract/errors.ts'
import { itemReaders, itemScopes, type ItemUse, useReaders } from '../../contract/items/items.schemas.ts'
import type { itemsEndpoints } from '../../contract/items/items.endpoints.ts'
import { requireScope, scopesIn } from '../auth/index.ts'
import type { Handlers, WorkspaceContext } from '../http/handler.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { closeDataset } from './dataset-deletion.store.ts'
import type { DatasetDeletions } from './dataset-deletions.ts'
import { changeItem, deleteItem, isItem, listFolders, usesOf } from './items.store.ts'

/** Names are for those who may read what they name. */
function shown({ principal, workspace }: WorkspaceContext, uses: readonly ItemUse[]): ItemUse[] {
  const held = scopesIn(principal, workspace)
  return uses.map(use => (held.includes(useReaders[use.kind]) ? use : { ...use, name: use.id }))
}

export function itemsHandlers({ db, clock }: Pick<Kernel, 'db' | 'clock'>, deletions: DatasetDeletions): Handlers<typeof itemsEndpoints> {
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
    listItemUses: (context, { query: { kind, id } }) => {
      const { principal, workspace, workspaceId } = context
      requireScope(principal, workspace, itemReaders[kind])
      if (!isItem(db, workspaceId, kind, id)) throw notFound(kind, id)
      return { items: shown(context, usesOf(db, workspaceId, { kind, id, at: timestamp(clock) }, 20)) }
    },
    deleteItem: async (context, { query: { kind, id } }) => {
      const { principal, workspace, workspaceId } = context
      requireScope(principal, workspace, itemScopes[kind])
      db.transaction(() => {
        if (!isItem(db, workspaceId, kind, id)) throw notFound(kind, id)
        const uses = shown(context, usesOf(db, workspaceId, { kind, id, at: timestamp(clock) }, 5))
        if (uses.length > 0)
          throw new ApiError(
            'conflict',
            `The ${kind} is used by ${uses.map(use => `the ${use.kind.replace('_', ' ')} "${use.name}"`).join(', ')}, so it cannot be deleted. Archive it instead.`,
          )
        if (kind === 'dataset') closeDataset(db, id)
        else deleteItem(db, workspaceId, kind, id)
      })
      if (kind === 'dataset') await deletions.remove({ workspaceId, id })
      return { kind, id }
    },
    listFolders: ({ principal, workspace, workspaceId }, { query }) => {
      requireScope(principal, workspace, itemReaders[query.kind])
      return { items: listFolders(db, workspaceId, query.kind) }
    },
  }
}
