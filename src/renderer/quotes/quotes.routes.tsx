import type { RouteObject } from 'react-router'
import { NewQuotePage } from './new-quote-page.tsx'
import { QuotePage } from './quote-page.tsx'

export const quotesRoutes: RouteObject[] = [
  { path: 'quotes/new', element: <NewQuotePage /> },
  { path: 'quotes/:quoteId', element: <QuotePage /> },
]
