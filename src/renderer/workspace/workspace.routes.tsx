import { Navigate, type RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const workspaceRoutes: RouteObject[] = [
  { path: 'workspace', element: <Navigate to="/workspace/keys" replace /> },
  { path: 'workspace/keys', lazy: lazyPage(() => import('./keys-page.tsx'), 'KeysPage') },
  { path: 'workspace/keys/new', lazy: lazyPage(() => import('./new-key-page.tsx'), 'NewKeyPage') },
  { path: 'workspace/members', lazy: lazyPage(() => import('./members-page.tsx'), 'MembersPage') },
  { path: 'workspace/retention', lazy: lazyPage(() => import('../retention/retention-page.tsx'), 'RetentionPage') },
  { path: 'workspace/wallet', lazy: lazyPage(() => import('../billing/wallet-page.tsx'), 'WalletPage') },
  { path: 'workspace/wallet/receipts/:purchaseId', lazy: lazyPage(() => import('../billing/receipt-page.tsx'), 'ReceiptPage') },
]
