export { billingHandlers, billingPages } from './billing.handlers.ts'
export {
  chargeForWork,
  holdForRun,
  holdForWork,
  openAccounts,
  raiseHold,
  releaseRest,
  releaseWork,
  type WorkMoney,
} from './ledger.store.ts'
export { createPurchases } from './purchases.service.ts'
