export { createNetworkLog, type NetworkLog } from './network-log.ts'
export { createProxyChoice, type ProxyChoice } from './proxy-choice.ts'
export { networkHandlers } from './network.handlers.ts'
export { assertOutgoingUrl, outgoingAddressPolicy } from './outgoing-address.ts'
