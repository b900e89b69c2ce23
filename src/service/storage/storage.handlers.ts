import type { storageEndpoints } from '../../contract/storage/storage.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { InstallationService } from '../installation/index.ts'
import { jobOwner } from '../jobs/index.ts'
import type { Storage } from './storage.service.ts'

export function storageHandlers(storage: Storage, installation: InstallationService): Handlers<typeof storageEndpoints> {
  return {
    getStorage: () => storage.use(),
    clearCache: ({ principal }) => {
      installation.requireOwner(principal, 'clear the cache of answers', { allowLocalKey: true })
      return storage.clearCache()
    },
    compactStorage: ({ principal }) => {
      installation.requireOwner(principal, 'compact the database', { allowLocalKey: true })
      return storage.compact(jobOwner(principal))
    },
    dismissLostChanges: ({ principal }) => {
      installation.requireOwner(principal, 'dismiss the notice of lost changes', { allowLocalKey: true })
      return storage.dismissLostChanges()
    },
    examineStorage: ({ principal }) => {
      installation.requireOwner(principal, 'examine the database', { allowLocalKey: true })
      return storage.examine(jobOwner(principal))
    },
  }
}
