import './suites.css'
import { NavLink } from 'react-router'

/** Links, not a tab widget: each tab has its own address. */
export function SuitesTabs() {
  return (
    <nav className="page-tabs" aria-label="Suites and what was run from them">
      <NavLink to="/suites" end>
        Suites
      </NavLink>
      <NavLink to="/suites/evaluations">Evaluations</NavLink>
    </nav>
  )
}
