export { namespacesHandlers } from './namespaces.handlers.ts'
export { createNamespaces } from './namespaces.service.ts'
export { packagesHandlers } from './packages.handlers.ts'
export { createPackages } from './packages.service.ts'
