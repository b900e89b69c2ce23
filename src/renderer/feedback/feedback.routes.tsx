import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const feedbackRoutes: RouteObject[] = [
  { path: 'feedback', lazy: lazyPage(() => import('./feedback-page.tsx'), 'FeedbackPage') },
  { path: 'feedback/new', lazy: lazyPage(() => import('./report-page.tsx'), 'ReportPage') },
]
