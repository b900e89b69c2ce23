export { namespacesHandlers } from './namespaces.handlers.ts'
export { createNamespaces } from './namespaces.service.ts'
