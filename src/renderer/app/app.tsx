import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { cspNonce } from './csp-nonce.ts'
import { routes } from './routes.tsx'
import { cssVariables, theme } from './theme.ts'

export function App({ queryClient }: { readonly queryClient: QueryClient }) {
  const [router] = useState(() => createBrowserRouter(routes))
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={cspNonce}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={4} />
        {/* A transition would show a switch as unchanged for a moment after a click, since its state is the address. */}
        <RouterProvider router={router} useTransitions={false} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
