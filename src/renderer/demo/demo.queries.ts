import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { useMe } from '../api/session.queries.ts'
import { openWorkspace, presentWorkspace } from '../api/workspace.ts'
import { isUnderWay } from '../app/background-jobs.queries.ts'
import { notifyFailed } from '../ui/page/notify.ts'

const lookMs = 1_000

/** Opens the person's demo; makes one where there is none. */
export function useLookAround() {
  const { data: me } = useMe()
  const key = useIdempotencyKey('demo')
  return useMutation({
    mutationFn: async () => {
      const present = me?.workspaces.find(({ demo }) => demo)
      if (present) return present.id
      const { workspace } = await call('startDemo', { headers: key.headersFor({}) })
      key.done()
      return workspace.id
    },
    onSuccess: openWorkspace,
    onError: error => notifyFailed('The demo was not created', error),
  })
}

/** Removes the demo that is open and opens the person's own workspace. */
export function useRemoveDemo() {
  const { data: me } = useMe()
  const present = me && presentWorkspace(me)
  return useMutation({
    mutationFn: () => call('removeWorkspace', { params: { workspace_id: present?.id ?? '' } }),
    onSuccess: () => openWorkspace(me?.workspaces.find(({ id }) => id !== present?.id)?.id ?? ''),
    onError: error => notifyFailed('The demo was not removed', error),
  })
}

/** The job that fills the demo; what it makes is read again with each step. */
export function useDemoJob() {
  const client = useQueryClient()
  const job = useQuery({
    queryKey: ['demo', 'job'],
    queryFn: async ({ signal }) => (await call('listJobs', { query: { kind: 'demo', limit: 1 } }, { signal })).items[0] ?? null,
    refetchInterval: query => (query.state.data && isUnderWay(query.state.data) ? lookMs : false),
  }).data
  const step = job ? `${job.state} ${job.progress?.done}` : null
  const seen = useRef<string | null>(null)
  useEffect(() => {
    if (seen.current !== null && seen.current !== step)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'demo' })
    seen.current = step
  }, [client, step])
  return job ?? null
}
