import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const settingsRoutes: RouteObject[] = [{ path: 'settings', lazy: lazyPage(() => import('./settings-page.tsx'), 'SettingsPage') }]
