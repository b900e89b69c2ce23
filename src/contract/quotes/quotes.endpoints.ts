import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Uuid } from '../primitives.ts'
import { Quote, QuoteExamples, QuoteRequest } from './quotes.schemas.ts'

export const quotesEndpoints = endpoints('Quotes', {
  createQuote: {
    route: 'POST /v1/quotes',
    summary: 'Check compatibility and cost of an exact selection',
    description: 'Starts no paid work. An incompatible quote is saved and readable and cannot be submitted.',
    scope: 'quotes:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    body: QuoteRequest,
    response: Quote,
    errors: ['exact_task_suite', 'task_unavailable'],
  },
  getQuote: {
    route: 'GET /v1/quotes/{quote_id}',
    summary: 'Read a saved quote',
    description: 'What was frozen, its cost and its checks. An expired quote stays readable for a day.',
    scope: 'quotes:read',
    params: z.strictObject({ quote_id: Uuid }),
    response: Quote,
  },
  getQuoteExamples: {
    route: 'GET /v1/quotes/{quote_id}/examples',
    summary: 'Read one rendered prompt of each profile of a quote',
    description:
      'The prompt of the first frozen task, to the byte as the model would receive it. It contains a whole task, as transcripts do, so it needs the scope that reads those.',
    scope: 'runs:read',
    params: z.strictObject({ quote_id: Uuid }),
    response: QuoteExamples,
  },
})
