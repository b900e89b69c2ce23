import { Navigate, type RouteObject } from 'react-router'
import { ReceiptPage } from '../billing/receipt-page.tsx'
import { WalletPage } from '../billing/wallet-page.tsx'
import { KeysPage } from './keys-page.tsx'
import { MembersPage } from './members-page.tsx'
import { NewKeyPage } from './new-key-page.tsx'

export const workspaceRoutes: RouteObject[] = [
  { path: 'workspace', element: <Navigate to="/workspace/keys" replace /> },
  { path: 'workspace/keys', element: <KeysPage /> },
  { path: 'workspace/keys/new', element: <NewKeyPage /> },
  { path: 'workspace/members', element: <MembersPage /> },
  { path: 'workspace/wallet', element: <WalletPage /> },
  { path: 'workspace/wallet/receipts/:purchaseId', element: <ReceiptPage /> },
]
