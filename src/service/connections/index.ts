export { connectionsHandlers } from './connections.handlers.ts'
export { type Connections, createConnections, endpointName } from './connections.service.ts'
export { endpointLimits } from './endpoint-limits.ts'
export { free, type ReachableRoute } from './managed-routes.ts'
