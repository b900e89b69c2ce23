import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const answersRoutes: RouteObject[] = [
  { path: 'runs/import', lazy: lazyPage(() => import('./answers-import-page.tsx'), 'AnswersImportPage') },
]
