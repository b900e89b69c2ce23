export { balanceOf, chargeAttempt, holdForRun, releaseRest } from './ledger.store.ts'
