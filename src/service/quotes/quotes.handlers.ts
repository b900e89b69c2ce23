import type { quotesEndpoints } from '../../contract/quotes/quotes.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Quotes } from './quotes.service.ts'

export function quotesHandlers(quotes: Quotes): Handlers<typeof quotesEndpoints> {
  return {
    createQuote: ({ workspaceId }, { body }) => quotes.create(workspaceId, body),
    getQuote: ({ workspaceId }, { params }) => quotes.read(workspaceId, params.quote_id),
    getQuoteExamples: ({ workspaceId }, { params }) => quotes.examples(workspaceId, params.quote_id),
  }
}
