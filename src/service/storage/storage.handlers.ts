import type { storageEndpoints } from '../../contract/storage/storage.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import { jobOwner } from '../jobs/index.ts'
import type { Storage } from './storage.service.ts'

export function storageHandlers(storage: Storage): Handlers<typeof storageEndpoints> {
  return {
    getStorage: () => storage.use(),
    compactStorage: ({ principal }) => storage.compact(jobOwner(principal)),
    examineStorage: ({ principal }) => storage.examine(jobOwner(principal)),
  }
}
