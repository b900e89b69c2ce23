// First: what it says must hold before any other module runs.
import './app/page-policy.ts'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/dropzone/styles.css'
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './app/tokens.css'
import './app/base.css'
import './app/forced-colors.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app/app.tsx'
import { primeQueries } from './app/prime-queries.ts'
import { warmUpPages } from './ui/page/lazy-page.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')
const queryClient = createQueryClient()
await primeQueries(queryClient)
createRoot(root).render(
  <StrictMode>
    <App queryClient={queryClient} />
  </StrictMode>,
)
warmUpPages()
