import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../contract/api.ts'
import type { Request } from '../../contract/endpoint.ts'
import type { ItemKind } from '../../contract/items/items.schemas.ts'
import { everything, useChange } from '../api/changes.ts'
import { call } from '../api/client.ts'

export const foldersQuery = (kind: ItemKind) =>
  queryOptions({
    queryKey: ['items', 'folders', kind],
    queryFn: ({ signal }) => call('listFolders', { query: { kind } }, { signal }),
    select: ({ items }) => items,
  })

/** Everything is read again: items are in lists, choices, the palette and the leaderboard. */
export const useChangeItems = () => useChange((body: Request<Api['changeItems']>['body']) => call('changeItems', { body }), everything)
