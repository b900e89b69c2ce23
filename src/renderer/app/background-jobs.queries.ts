import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { jobMachine } from '../../contract/jobs/job.machine.ts'
import type { Job } from '../../contract/jobs/jobs.schemas.ts'
import { isTerminal } from '../../contract/machine.ts'
import { call } from '../api/client.ts'
import { notifyFailed } from '../ui/page/notify.ts'

const busyMs = 2_000
const watchedMs = 1_000
const idleMs = 15_000
/** Jobs that ended longer ago are no longer news. */
const recentMs = 60 * 60_000
const queryKey = ['jobs', 'shown'] as const

/** Ended jobs that are shown. */
const shownEnded = 8

/** The page that asks for a preview shows it: an ended one is no news elsewhere. */
const isPreview = ({ kind }: Pick<Job, 'kind'>): boolean => kind.endsWith('_preview')

/** Jobs that wait or run, and those that ended within the last hour, newest first. */
export function useBackgroundJobs() {
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<readonly Job[]> => {
      const pages = await Promise.all([
        call('listJobs', { query: { state: 'running', limit: 20 } }, { signal }),
        call('listJobs', { query: { state: 'queued', limit: 20 } }, { signal }),
        call('listJobs', { query: { limit: 40 } }, { signal }),
      ])
      const jobs = new Map(pages.flatMap(({ items }) => items.map(job => [job.id, job] as const)))
      const since = Date.now() - recentMs
      const newest = [...jobs.values()].sort((a, b) => b.id.localeCompare(a.id))
      const ended = newest.filter(job => !isUnderWay(job) && !isPreview(job) && Date.parse(job.finished_at ?? job.created_at) > since)
      return [...newest.filter(isUnderWay), ...ended.slice(0, shownEnded)]
    },
    refetchInterval: query => (query.state.data?.some(isUnderWay) ? busyMs : idleMs),
  })
}

/** A job that is shown where it belongs; null for none. */
export function useJob(id: string | null) {
  return useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }): Promise<Job> => call('getJob', { params: { job_id: id ?? '' } }, { signal }),
    enabled: id !== null,
    refetchInterval: query => (query.state.data && !isUnderWay(query.state.data) ? false : watchedMs),
  })
}

export function isUnderWay({ state }: Pick<Job, 'state'>): boolean {
  return !isTerminal(jobMachine, state)
}

/** Cancels or retries a job; every page that shows what it works on is read again. */
export function useJobAction(action: 'cancelJob' | 'retryJob') {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (jobId: string) => call(action, { params: { job_id: jobId } }),
    onSuccess: () => client.invalidateQueries(),
    onError: error => notifyFailed(action === 'cancelJob' ? 'The job was not cancelled' : 'The job was not retried', error),
  })
}
