import { ActionIcon, Tooltip } from '@mantine/core'
import { IconHelp, IconSearch } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useMe } from '../api/session.queries.ts'
import { RunningJobs } from './running-jobs.tsx'

const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

export function TopBar({ onSearch }: { readonly onSearch: () => void }) {
  const me = useMe()
  return (
    <header className="shell-top">
      <div className="shell-brand">
        <Link to="/" aria-label="Assay, home" style={{ color: 'inherit', textDecoration: 'none' }}>
          Assay
        </Link>
        <span className="quiet" aria-hidden>
          /
        </span>
        <span className="shell-workspace" title="Workspace">
          {me.data?.workspaces[0]?.name}
        </span>
      </div>
      <button type="button" className="shell-search" onClick={onSearch}>
        <IconSearch size={16} aria-hidden />
        Search pages and actions
        <kbd>{shortcut}</kbd>
      </button>
      <RunningJobs />
      <Tooltip label="API reference">
        <ActionIcon
          component="a"
          href="/docs"
          target="_blank"
          rel="noopener"
          variant="subtle"
          color="gray"
          size={32}
          aria-label="Help: API reference"
        >
          <IconHelp size={18} />
        </ActionIcon>
      </Tooltip>
    </header>
  )
}
