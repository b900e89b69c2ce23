import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const creatorRoutes: RouteObject[] = [
  { path: 'creator', lazy: lazyPage(() => import('./packages-page.tsx'), 'PackagesPage') },
  { path: 'creator/packages/new', lazy: lazyPage(() => import('./upload-package-page.tsx'), 'UploadPackagePage') },
  { path: 'creator/packages/:packageId', lazy: lazyPage(() => import('./package-page.tsx'), 'PackagePage') },
  { path: 'creator/profiles', lazy: lazyPage(() => import('./private-profiles-page.tsx'), 'PrivateProfilesPage') },
  { path: 'creator/namespaces', lazy: lazyPage(() => import('./namespaces-page.tsx'), 'NamespacesPage') },
]
