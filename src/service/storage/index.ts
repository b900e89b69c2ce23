export { findLostChanges, followCommits, readLostChanges } from './lost-changes.ts'
export { folderWarning } from './folder-warning.ts'
export { storageHandlers } from './storage.handlers.ts'
export { createStorage } from './storage.service.ts'
