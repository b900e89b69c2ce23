import type { Run } from '../../contract/runs/runs.schemas.ts'

/** Where a schedule of these runs is made. Null where none can run again: imported answers have no quote, exact tasks run as evaluations. */
export function scheduleLink(runs: readonly Pick<Run, 'quote_id' | 'coverage'>[]): string | null {
  const quotes = runs.flatMap(({ quote_id: id, coverage: { mode } }) => (id === null || mode === 'exact' ? [] : id))
  return quotes.length === 0 ? null : `/schedules/new?quotes=${quotes.join(',')}`
}
