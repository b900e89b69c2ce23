import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { DeletableKind, FolderSummary, Item, ItemChanges, ItemKind, itemScopes, ItemUse } from './items.schemas.ts'

const item = z.strictObject({ kind: DeletableKind, id: z.string().min(1).max(200) })
const writers = [...new Set(Object.values(itemScopes))]

export const itemsEndpoints = endpoints('Items', {
  changeItems: {
    route: 'PATCH /v1/items',
    summary: 'Archive or restore items, or move them to a folder',
    description:
      'Needs the write scope of the kind. A folder exists as long as something is in it. Archived items stay readable and usable by what refers to them, and are left out of lists; an archived benchmark is left out of the leaderboard. Changes all of the items or none.',
    scope: 'runs:write',
    otherScopes: writers,
    body: ItemChanges,
    response: z.strictObject({ items: z.array(Item) }),
    errors: ['not_found'],
  },
  listItemUses: {
    route: 'GET /v1/items/uses',
    summary: 'List what rests on an item',
    description: 'The first 20. An item that nothing rests on can be deleted. Also needs the scope that reads the kind.',
    scope: 'workspace:read',
    query: item,
    response: z.strictObject({ items: z.array(ItemUse) }),
    errors: ['not_found', 'missing_scope'],
  },
  deleteItem: {
    route: 'DELETE /v1/items',
    summary: 'Delete an item that nothing rests on',
    description:
      'Needs the write scope of the kind. A benchmark, a dataset, an evaluator and a suite go with every version. A decision is deleted before its first attempt, a monitor before its first check, a session before it is approved. Refused with the names of what rests on it; archive it instead. It cannot be restored.',
    scope: 'suites:write',
    otherScopes: writers,
    query: item,
    response: z.strictObject({ kind: DeletableKind, id: z.string() }),
    errors: ['not_found', 'conflict'],
  },
  listFolders: {
    route: 'GET /v1/folders',
    summary: 'List the folders of one kind of items',
    description: 'By name, with the number of items in each. Also needs the scope that reads the kind.',
    scope: 'workspace:read',
    query: z.strictObject({ kind: ItemKind }),
    response: z.strictObject({ items: z.array(FolderSummary) }),
    errors: ['missing_scope'],
  },
})
