import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const quotesRoutes: RouteObject[] = [
  { path: 'quotes/new', lazy: lazyPage(() => import('./new-quote-page.tsx'), 'NewQuotePage') },
  { path: 'quotes/:quoteId', lazy: lazyPage(() => import('./quote-page.tsx'), 'QuotePage') },
]
