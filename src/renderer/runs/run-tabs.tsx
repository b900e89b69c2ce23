import { NavLink } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'

/** Links, not a tab widget: each tab has its own address. */
export function RunTabs({ run }: { readonly run: Run }) {
  return (
    <nav className="page-tabs" aria-label="Parts of this run">
      <NavLink to={`/runs/${run.id}`} end>
        {run.part_of !== null ? 'Part' : run.result_version === null ? 'Progress' : 'Results'}
      </NavLink>
      <NavLink to={`/runs/${run.id}/samples`}>
        Samples <span className="num quiet">{formatCount(run.progress.frozen)}</span>
      </NavLink>
    </nav>
  )
}
