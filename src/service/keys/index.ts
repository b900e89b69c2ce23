export { keysHandlers } from './keys.handlers.ts'
export {
  type Ceilings,
  findKeyRow,
  grantedLabels,
  type KeyRow,
  makerOf,
  meterOf,
  scopesOf,
  type Spending,
  spendingOf,
  statusOf,
} from './keys.store.ts'
export { createKeys } from './keys.service.ts'
