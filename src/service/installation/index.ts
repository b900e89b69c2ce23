export { installationHandlers } from './installation.handlers.ts'
export { createInstallation, type InstallationService } from './installation.service.ts'
export { findInstallation, insertInstallation } from './installation.store.ts'
