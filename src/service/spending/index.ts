export { isEntitled } from './entitlement.ts'
export { leastSpend, type Spend, sumOf } from './spend.ts'
export { nobody } from './authorize-spending.ts'
export { startWork, type Work } from './start-work.ts'
