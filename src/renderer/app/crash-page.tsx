import { useRouteError } from 'react-router'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'

/** In place of a page that threw while rendering. */
export function CrashPage() {
  const thrown = useRouteError()
  const error = thrown instanceof Error ? thrown : new Error(`This page failed: ${String(thrown)}`)
  return (
    <Page>
      <PageHeader title="This page failed" />
      <ErrorState
        error={error}
        title="Something in this page broke; your data is not touched"
        onRetry={() => globalThis.location.reload()}
      />
    </Page>
  )
}
