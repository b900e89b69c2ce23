import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const worldsRoutes: RouteObject[] = [
  { path: 'attacks', lazy: lazyPage(() => import('./attacks-page.tsx'), 'AttacksPage') },
  { path: 'environments/new', lazy: lazyPage(() => import('./world-editor-page.tsx'), 'WorldEditorPage') },
  { path: 'environments/:slug/edit', lazy: lazyPage(() => import('./world-editor-page.tsx'), 'WorldEditorPage') },
]
