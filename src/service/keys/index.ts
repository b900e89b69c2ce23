export { keysHandlers } from './keys.handlers.ts'
export { isKeyActive, makerOf } from './keys.store.ts'
export { createKeys } from './keys.service.ts'
export { requireUnderCeilings } from './spend-ceiling.ts'
