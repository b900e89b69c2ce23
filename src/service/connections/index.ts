export { connectionsHandlers } from './connections.handlers.ts'
export { type Connections, createConnections } from './connections.service.ts'
