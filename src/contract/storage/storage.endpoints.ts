import { endpoints } from '../endpoint.ts'
import { StorageUse } from './storage.schemas.ts'

export const storageEndpoints = endpoints('Storage', {
  getStorage: {
    route: 'GET /v1/storage',
    summary: 'Read storage usage',
    description: 'Bytes by kind of data, free space and what can be removed.',
    scope: 'workspace:read',
    response: StorageUse,
  },
  examineStorage: {
    route: 'POST /v1/storage/examine',
    summary: 'Examine the database',
    description:
      'For this machine’s owner and the key in service.json. Verifies every page, index and reference in the background. Runs weekly; repeating the request while it runs is safe.',
    scope: 'workspace:write',
    status: 202,
    response: StorageUse,
    errors: ['owner_session_required'],
  },
  clearCache: {
    route: 'DELETE /v1/storage/cache',
    summary: 'Clear the cache of answers',
    description:
      'For this machine’s owner and the key in service.json. Later runs ask again; the answers stay in the runs that got them, and scores do not change.',
    scope: 'workspace:write',
    response: StorageUse,
    errors: ['owner_session_required'],
  },
  dismissLostChanges: {
    route: 'POST /v1/storage/lost-changes/dismiss',
    summary: 'Dismiss the notice of lost changes',
    description: 'For this machine’s owner and the key in service.json. Repeating the request is safe.',
    scope: 'workspace:write',
    response: StorageUse,
    errors: ['owner_session_required'],
  },
  compactStorage: {
    route: 'POST /v1/storage/compact',
    summary: 'Compact the database',
    description:
      'For this machine’s owner and the key in service.json. Runs in the background, in small steps. Repeating the request while it runs is safe.',
    scope: 'workspace:write',
    status: 202,
    response: StorageUse,
    errors: ['owner_session_required'],
  },
})
