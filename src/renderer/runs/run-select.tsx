import { useQuery } from '@tanstack/react-query'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { call } from '../api/client.ts'
import { type Found, SearchSelect } from '../ui/forms/search-select.tsx'
import { runQuery } from './runs.queries.ts'

const OFFERED = 50

interface RunSelectProps {
  readonly label: string
  readonly description: string
  readonly required?: boolean
  /** Beside the run's name. */
  readonly detail: (run: Run) => string
  readonly isOffered?: (run: Run) => boolean
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

/** One of the runs with a result, the pinned baselines first. */
export function RunSelect({ detail, isOffered = () => true, value, ...field }: RunSelectProps) {
  const chosen = useQuery({ ...runQuery(value ?? ''), enabled: value !== null }).data
  const toFound = (run: Run): Found => ({
    value: run.id,
    label: `${showHidden(run.name)} (${detail(run)})`,
    ...(run.pinned_at === null ? {} : { group: 'Pinned baselines' }),
  })
  return (
    <SearchSelect
      {...field}
      plural="runs"
      maw={480}
      findKey={['runs', 'select', field.label]}
      find={async (q, signal) => {
        const query = { q: q.slice(0, 200), has_result: 'true', sort: '-pinned', limit: OFFERED } as const
        const { items } = await call('listRuns', { query }, { signal })
        return items.filter(isOffered).map(toFound)
      }}
      value={value}
      chosen={chosen && toFound(chosen)}
    />
  )
}
