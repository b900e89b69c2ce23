export { quotesHandlers } from './quotes.handlers.ts'
export { createQuotes, type Quotes } from './quotes.service.ts'
export type { ExactSelection } from './select-tasks.ts'
