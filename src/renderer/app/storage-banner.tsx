import { IconDatabaseExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** Milliseconds between looks; while something is wrong, people wait for it to be over. */
const CALM_MS = 30_000
const TROUBLED_MS = 3_000

/** Says that nothing can be stored, or soon cannot, and what to do about it. */
export function StorageBanner() {
  const { data } = useQuery({
    queryKey: ['health', 'storage'],
    queryFn: ({ signal }) => call('getHealth', {}, { signal }),
    refetchInterval: query => (query.state.data && query.state.data.storage.state !== 'ok' ? TROUBLED_MS : CALM_MS),
  })
  if (!data || data.storage.message === null) return null
  return (
    <div className="shell-banner" role="alert">
      <IconDatabaseExclamation size={16} aria-hidden />
      {data.storage.message}
    </div>
  )
}
