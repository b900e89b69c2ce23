export { createNetworkLog, type NetworkLog } from './network-log.ts'
export { networkHandlers } from './network.handlers.ts'
