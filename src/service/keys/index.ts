export { keysHandlers } from './keys.handlers.ts'
export { createKeys } from './keys.service.ts'
export { requireUnderCeilings } from './spend-ceiling.ts'
