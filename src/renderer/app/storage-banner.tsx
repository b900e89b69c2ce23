import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { call } from '../api/client.ts'
import { IconDatabaseExclamation } from '../ui/pictures/icons.tsx'

/** Milliseconds between looks; while something is wrong, people wait for it to be over. */
const CALM_MS = 30_000
const TROUBLED_MS = 3_000

/** Says that nothing can be stored, or soon cannot, or that something was lost, and what to do about it. */
export function StorageBanner() {
  const { data } = useQuery({
    queryKey: ['health', 'storage'],
    queryFn: ({ signal }) => call('getHealth', {}, { signal }),
    refetchInterval: query => (query.state.data && query.state.data.storage.state !== 'ok' ? TROUBLED_MS : CALM_MS),
  })
  if (!data) return null
  const lost = data.lost_changes
  return (
    <>
      {data.storage.message === null ? null : <Banner>{data.storage.message}</Banner>}
      {lost === null ? null : (
        <Banner>
          {lost.message}{' '}
          <Anchor component={Link} inherit to="/settings">
            Settings
          </Anchor>
        </Banner>
      )}
    </>
  )
}

function Banner({ children }: { readonly children: ReactNode }) {
  return (
    <div className="shell-banner" role="alert">
      <IconDatabaseExclamation size={16} aria-hidden />
      <span>{children}</span>
    </div>
  )
}
