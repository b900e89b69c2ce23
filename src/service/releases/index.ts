export { releasesHandlers } from './releases.handlers.ts'
export { createReleases } from './releases.ts'
