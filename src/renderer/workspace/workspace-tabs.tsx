import './workspace.css'
import { NavLink } from 'react-router'

/** Links, not a tab widget: each tab has its own address. */
export function WorkspaceTabs() {
  return (
    <nav className="page-tabs" aria-label="Parts of the workspace">
      <NavLink to="/workspace/keys">API keys</NavLink>
      <NavLink to="/workspace/members">Members</NavLink>
      <NavLink to="/workspace/wallet">Wallet</NavLink>
      <NavLink to="/workspace/webhooks">Webhooks</NavLink>
      <NavLink to="/workspace/retention">Retention</NavLink>
    </nav>
  )
}
