import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Api } from '../../contract/api.ts'
import type { Response } from '../../contract/endpoint.ts'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { call } from '../api/client.ts'

/** One letter per sample. Of a run that works, they are read again as soon as the run's own counts have changed, so that both agree. */
export function useOutcomes(run: Run): string | undefined {
  const stamp = countsOf(run)
  const { data, isFetching, refetch } = useQuery(outcomesQuery(run, stamp))
  const outdated = data !== undefined && data.stamp !== stamp
  useEffect(() => {
    if (outdated && !isFetching) void refetch()
  }, [outdated, isFetching, refetch])
  return data?.codes
}

/** Outcomes that were read with the run, before anything was drawn. */
export function keepOutcomes(client: QueryClient, run: Run, outcomes: Response<Api['getSampleOutcomes']>): void {
  const stamp = countsOf(run)
  client.setQueryData(outcomesQuery(run, stamp).queryKey, { ...outcomes, stamp })
}

function outcomesQuery({ id, status, result_version: version }: Run, stamp: string) {
  const ended = isTerminal(runMachine, status)
  return queryOptions({
    queryKey: ['samples', id, 'outcomes', ended ? (version ?? 'ended') : 'live'],
    queryFn: async ({ signal }) => ({ ...(await call('getSampleOutcomes', { params: { run_id: id } }, { signal })), stamp }),
    placeholderData: before => before,
  })
}

/** A pause is part of it: samples that were claimed wait from then on, also where the run's own count had them waiting before. */
function countsOf({ status, result_version: version, progress, pause }: Run): string {
  const { scored, failed, excluded, missing, cancelled, active } = progress
  return [status, version, scored, failed, excluded, missing, cancelled, active, pause?.code].join(' ')
}

/** Id of the sample at a place of the run. */
export async function sampleIdAt(runId: string, offset: number): Promise<string | null> {
  const { items } = await call('listSamples', { params: { run_id: runId }, query: { offset, limit: 1 } })
  return items[0]?.id ?? null
}
