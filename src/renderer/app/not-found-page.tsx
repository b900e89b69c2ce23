import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

export function NotFoundPage() {
  const { pathname } = useLocation()
  return (
    <Page>
      <PageHeader title="Page not found" />
      <EmptyState
        title="Check the address"
        action={
          <Button component={Link} to="/">
            Go to Home
          </Button>
        }
      >
        <UntrustedText text={pathname} layout="inline" />
      </EmptyState>
    </Page>
  )
}
