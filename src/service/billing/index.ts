export { billingHandlers, billingPages } from './billing.handlers.ts'
export { chargeAttempt, holdForRun, openAccounts, raiseHold, releaseRest } from './ledger.store.ts'
export { createPurchases } from './purchases.service.ts'
