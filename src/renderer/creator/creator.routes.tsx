import type { RouteObject } from 'react-router'
import { NamespacesPage } from './namespaces-page.tsx'
import { PackagePage } from './package-page.tsx'
import { PackagesPage } from './packages-page.tsx'
import { PrivateProfilesPage } from './private-profiles-page.tsx'
import { UploadPackagePage } from './upload-package-page.tsx'

export const creatorRoutes: RouteObject[] = [
  { path: 'creator', element: <PackagesPage /> },
  { path: 'creator/packages/new', element: <UploadPackagePage /> },
  { path: 'creator/packages/:packageId', element: <PackagePage /> },
  { path: 'creator/profiles', element: <PrivateProfilesPage /> },
  { path: 'creator/namespaces', element: <NamespacesPage /> },
]
