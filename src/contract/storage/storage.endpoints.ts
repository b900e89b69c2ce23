import { endpoints } from '../endpoint.ts'
import { StorageUse } from './storage.schemas.ts'

const tag = 'Storage'

export const storageEndpoints = endpoints({
  getStorage: {
    method: 'GET',
    path: '/v1/storage',
    tag,
    summary: 'How much space the stored data take',
    scope: 'workspace:read',
    status: 200,
    kind: 'json',
    response: StorageUse,
  },
  examineStorage: {
    method: 'POST',
    path: '/v1/storage/examine',
    tag,
    summary: 'Examine the database',
    description:
      'For this machine’s owner and the key in service.json. Reads every page, index and reference, in the background, while everything goes on. Done once a week by itself; asking again while it goes on is fine.',
    scope: 'workspace:write',
    status: 202,
    kind: 'json',
    response: StorageUse,
    errors: ['owner_session_required'],
  },
  compactStorage: {
    method: 'POST',
    path: '/v1/storage/compact',
    tag,
    summary: 'Give free space back to the disk',
    description:
      'For this machine’s owner and the key in service.json. In the background, a little at a time, while everything goes on. Asking again while it goes on is fine.',
    scope: 'workspace:write',
    status: 202,
    kind: 'json',
    response: StorageUse,
    errors: ['owner_session_required'],
  },
})
