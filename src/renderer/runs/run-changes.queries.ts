import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Regrade, Run, RunChanges } from '../../contract/runs/runs.schemas.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { runQuery } from './runs.queries.ts'

/** Shows the run as the service answered it, and has every list of runs read again. */
function keep(client: QueryClient, run: Run): void {
  client.setQueryData(runQuery(run.id).queryKey, run)
  void client.invalidateQueries({ queryKey: ['runs'], predicate: ({ queryKey }) => queryKey[1] !== 'one' || queryKey[2] !== run.id })
}

export function useCancelRun(runId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('cancelRun', { params: { run_id: runId } }),
    onSuccess: run => keep(client, run),
  })
}

export function usePauseRun(runId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('pauseRun', { params: { run_id: runId } }),
    onSuccess: run => keep(client, run),
  })
}

export function useResumeRun(runId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('resumeRun', { params: { run_id: runId } }),
    onSuccess: run => keep(client, run),
  })
}

export function useChangeRun(runId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changes: RunChanges) => call('changeRun', { params: { run_id: runId }, body: changes }),
    onSuccess: run => keep(client, run),
  })
}

export function useDeleteRun(runId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('deleteRun', { params: { run_id: runId } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: runQuery(runId).queryKey })
      client.removeQueries({ queryKey: ['samples', runId] })
      client.removeQueries({ queryKey: ['results', runId] })
      void client.invalidateQueries({ queryKey: ['runs'] })
    },
  })
}

export function useRegradeRun(runId: string) {
  const client = useQueryClient()
  const key = useIdempotencyKey(`regrade-${runId}`)
  return useMutation({
    mutationFn: (body: Regrade) => call('regradeRun', { params: { run_id: runId }, body, headers: key.headersFor(body) }),
    onSuccess: run => {
      key.done()
      keep(client, run)
      void client.invalidateQueries({ queryKey: ['jobs'] })
    },
  })
}

/** Makes a part of every sample without a score. The answer is the part, so the run itself is read again. */
export function useRetryFailed(runId: string) {
  const client = useQueryClient()
  const key = useIdempotencyKey(`retry-failed-${runId}`)
  return useMutation({
    mutationFn: () => call('retryFailed', { params: { run_id: runId }, headers: key.headersFor(null) }),
    onSuccess: part => {
      key.done()
      keep(client, part)
    },
  })
}

/** Makes a part of the named samples. The answer is the part, so the run itself is read again. */
export function useRetrySamples(runId: string) {
  const client = useQueryClient()
  const key = useIdempotencyKey(`retry-${runId}`)
  return useMutation({
    mutationFn: (ids: readonly string[]) => {
      const body = { sample_ids: [...ids] }
      return call('retrySamples', { params: { run_id: runId }, body, headers: key.headersFor(body) })
    },
    onSuccess: part => {
      key.done()
      keep(client, part)
    },
  })
}
