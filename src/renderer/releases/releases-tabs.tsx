import { NavLink } from 'react-router'

/** Links, not a tab widget: each tab has its own address. */
export function ReleasesTabs() {
  return (
    <nav className="page-tabs" aria-label="Release area">
      <NavLink to="/releases" end>
        Decisions
      </NavLink>
      <NavLink to="/releases/assets">Suites and policies</NavLink>
      <NavLink to="/releases/evidence">Evidence</NavLink>
      <NavLink to="/releases/issues">Issues</NavLink>
      <NavLink to="/releases/coverage">Coverage</NavLink>
    </nav>
  )
}
