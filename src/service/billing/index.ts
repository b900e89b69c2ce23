export { billingHandlers, billingPages } from './billing.handlers.ts'
export { chargeAttempt, holdForRun, openAccounts, releaseRest } from './ledger.store.ts'
export { createPurchases } from './purchases.service.ts'
