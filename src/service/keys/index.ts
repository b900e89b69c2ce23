export { keysHandlers } from './keys.handlers.ts'
export { grantedLabels, isKeyActive, makerOf } from './keys.store.ts'
export { createKeys } from './keys.service.ts'
export { requireUnderCeilings } from './spend-ceiling.ts'
