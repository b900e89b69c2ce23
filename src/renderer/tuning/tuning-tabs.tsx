import { NavLink } from 'react-router'

/** Links, not a tab widget: each tab has its own address. */
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
