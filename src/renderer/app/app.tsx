import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from '../api/query-client.ts'
import { Announcer } from './announcer.tsx'
import { cspNonce } from './csp-nonce.ts'
import { keepFocus } from './keep-focus.ts'
import { routes } from './routes.tsx'
import { cssVariables, theme } from './theme.ts'

export function App() {
  const [queryClient] = useState(createQueryClient)
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
