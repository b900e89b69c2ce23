export { keysHandlers } from './keys.handlers.ts'
export { createKeys } from './keys.service.ts'
export { demandUnderCeiling } from './spend-ceiling.ts'
