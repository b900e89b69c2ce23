import './creator.css'
import { NavLink } from 'react-router'

/** Links, not a tab widget: each has an address of its own. */
export function CreatorTabs() {
  return (
    <nav className="page-tabs" aria-label="Parts of the creator">
      <NavLink to="/creator" end>
        Packages
      </NavLink>
      <NavLink to="/creator/profiles">Private profiles</NavLink>
      <NavLink to="/creator/namespaces">Namespaces</NavLink>
    </nav>
  )
}
