import type { RouteObject } from 'react-router'
import { FeedbackPage } from './feedback-page.tsx'
import { ReportPage } from './report-page.tsx'

export const feedbackRoutes: RouteObject[] = [
  { path: 'feedback', element: <FeedbackPage /> },
  { path: 'feedback/new', element: <ReportPage /> },
]
