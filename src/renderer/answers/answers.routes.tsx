import type { RouteObject } from 'react-router'
import { AnswersImportPage } from './answers-import-page.tsx'

export const answersRoutes: RouteObject[] = [{ path: 'runs/import', element: <AnswersImportPage /> }]
