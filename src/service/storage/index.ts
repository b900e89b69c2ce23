export { storageHandlers } from './storage.handlers.ts'
export { createStorage } from './storage.service.ts'
