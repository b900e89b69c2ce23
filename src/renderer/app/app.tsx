import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Announcer } from './announcer.tsx'
import { cspNonce } from './csp-nonce.ts'
import { keepFocus } from './keep-focus.ts'
import { routes } from './routes.tsx'
import { cssVariables, theme } from './theme.ts'

export function App({ queryClient }: { readonly queryClient: QueryClient }) {
  const [router] = useState(() => createBrowserRouter(routes))
  useEffect(() => keepFocus(document), [])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={cspNonce}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={4} />
        <Announcer />
        {/* A transition would show a switch as unchanged for a moment after a click, since its state is the address. */}
        <RouterProvider router={router} useTransitions={false} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
