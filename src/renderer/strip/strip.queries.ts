import { queryOptions } from '@tanstack/react-query'
import { isTerminal, type Run, runMachine } from '../../contract/index.ts'
import { call } from '../api/client.ts'

const LIVE_MS = 1_500

/** One letter per sample; of a run that works, read again while it is looked at. */
export function outcomesQuery({ id, status, result_version: version }: Run) {
  const ended = isTerminal(runMachine, status)
  return queryOptions({
    queryKey: ['samples', id, 'outcomes', ended ? (version ?? 'ended') : 'live'],
    queryFn: ({ signal }) => call('getSampleOutcomes', { params: { run_id: id } }, { signal }),
    select: ({ codes }) => codes,
    refetchInterval: ended ? false : LIVE_MS,
    placeholderData: before => before,
  })
}

/** Id of the sample at a place of the run. */
export async function sampleIdAt(runId: string, offset: number): Promise<string | null> {
  const { items } = await call('listSamples', { params: { run_id: runId }, query: { offset, limit: 1 } })
  return items[0]?.id ?? null
}
