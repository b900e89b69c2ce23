export { quotesHandlers } from './quotes.handlers.ts'
export { createQuotes, type Quotes } from './quotes.service.ts'
