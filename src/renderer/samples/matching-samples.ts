import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import type { SampleFilters } from './samples.queries.ts'

/** The contract's bound on samples per retry. */
export const MOST_ASKED = 10_000
const PAGE = 100

/**
 * Ids of every sample that the filters keep.
 *
 * @throws Error where there are more than one retry accepts; ServiceError where the service refuses.
 */
export async function matchingSampleIds(runId: string, { sort: _, ...filters }: SampleFilters): Promise<readonly string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await call('listSamples', { params: { run_id: runId }, query: { ...filters, cursor, limit: PAGE } })
    ids.push(...page.items.map(sample => sample.id))
    const more = page.next_cursor
    if (ids.length > MOST_ASKED || (ids.length === MOST_ASKED && more !== null)) {
      throw new Error(`More than ${formatCount(MOST_ASKED)} samples match the filters. Narrow the filters to at most that many.`)
    }
    if (more === null) return ids
    cursor = more
  }
}
