import { useRouteError } from 'react-router'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { PageNotLoaded } from '../ui/page/lazy-page.ts'
import { ErrorState } from '../ui/states/error-state.tsx'

/** In place of a page that threw while rendering, or whose code did not arrive. */
export function CrashPage() {
  const thrown = useRouteError()
  const reload = (): void => globalThis.location.reload()
  if (thrown instanceof PageNotLoaded) {
    return (
      <Page>
        <PageHeader title="Page not loaded" />
        <ErrorState error={thrown} title="Couldn’t load this page" onRetry={reload} reportable={false} />
      </Page>
    )
  }
  const error = thrown instanceof Error ? thrown : new Error(`This page failed: ${String(thrown)}`)
  return (
    <Page>
      <PageHeader title="This page failed" />
      <ErrorState error={error} title="Something in this page broke; your data is not touched" onRetry={reload} />
    </Page>
  )
}
