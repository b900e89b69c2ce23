import { ActionIcon, Tooltip } from '@mantine/core'
import { IconHelp, IconSearch } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useMe } from '../api/session.queries.ts'
import { Mark } from '../../charts/mark.ts'
import { RunningJobs } from './running-jobs.tsx'

const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

export function TopBar({ onSearch, onHelp }: { readonly onSearch: () => void; readonly onHelp: () => void }) {
  const me = useMe()
  return (
    <header className="shell-top">
      <div className="shell-brand">
        <Link to="/" aria-label="Assay, home" className="shell-home">
          <Mark size={20} />
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
        Search pages, runs, models
        <kbd>{shortcut}</kbd>
      </button>
      <RunningJobs />
      <Tooltip label="Keyboard and API reference (?)">
        <ActionIcon variant="subtle" color="gray" size={32} aria-label="Help" onClick={onHelp}>
          <IconHelp size={18} />
        </ActionIcon>
      </Tooltip>
    </header>
  )
}
