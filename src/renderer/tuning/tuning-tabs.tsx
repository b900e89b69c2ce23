import { NavLink } from 'react-router'

/** Links, not a tab widget: each has an address of its own. */
export function TuningTabs() {
  return (
    <nav className="page-tabs" aria-label="Sessions and monitors">
      <NavLink to="/tuning" end>
        Sessions
      </NavLink>
      <NavLink to="/tuning/monitors">Monitors</NavLink>
    </nav>
  )
}
