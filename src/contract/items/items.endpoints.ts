import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { FolderSummary, Item, ItemChanges, ItemKind, itemScopes } from './items.schemas.ts'

const tag = 'Items'
const writers = [...new Set(Object.values(itemScopes))]

export const itemsEndpoints = endpoints({
  changeItems: {
    method: 'PATCH',
    path: '/v1/items',
    tag,
    summary: 'Archive or restore items, or move them to a folder',
    description:
      'Needs the write scope of the kind. A folder exists as long as something is in it. Archived items stay readable and usable by what refers to them, and are left out of lists; an archived benchmark is left out of the leaderboard. Changes all of the items or none.',
    scope: 'runs:write',
    otherScopes: writers,
    status: 200,
    kind: 'json',
    body: ItemChanges,
    response: z.strictObject({ items: z.array(Item) }),
    errors: ['not_found'],
  },
  listFolders: {
    method: 'GET',
    path: '/v1/folders',
    tag,
    summary: 'List the folders of one kind of items',
    description: 'By name, with the number of items in each.',
    scope: 'workspace:read',
    status: 200,
    kind: 'json',
    query: z.strictObject({ kind: ItemKind }),
    response: z.strictObject({ items: z.array(FolderSummary) }),
  },
})
