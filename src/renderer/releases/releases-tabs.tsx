import { NavLink } from 'react-router'

/** Links, not a tab widget: each has an address of its own. */
export function ReleasesTabs() {
  return (
    <nav className="page-tabs" aria-label="Release area">
      <NavLink to="/releases" end>
        Decisions
      </NavLink>
      <NavLink to="/releases/evidence">Evidence</NavLink>
      <NavLink to="/releases/issues">Issues</NavLink>
      <NavLink to="/releases/coverage">Coverage</NavLink>
    </nav>
  )
}
