import { NavLink } from 'react-router'

/** Links, not a tab widget: each tab has its own address. */
export function EvaluatorsTabs() {
  return (
    <nav className="page-tabs" aria-label="Evaluators, drafts and remote scorers">
      <NavLink to="/evaluators" end>
        Evaluators
      </NavLink>
      <NavLink to="/evaluators/drafts" end>
        Drafts
      </NavLink>
      <NavLink to="/evaluators/remote-scorers">Remote scorers</NavLink>
    </nav>
  )
}
