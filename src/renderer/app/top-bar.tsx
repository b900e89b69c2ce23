import { ActionIcon, Badge, Menu, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import { useMe } from '../api/session.queries.ts'
import { openWorkspace, presentWorkspace } from '../api/workspace.ts'
import { Mark } from '../../charts/mark.ts'
import { IconChevronDown, IconHelp, IconSearch } from '../ui/pictures/icons.tsx'
import { RunningJobs } from './running-jobs.tsx'

const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

export function TopBar({ onSearch, onHelp }: { readonly onSearch: () => void; readonly onHelp: () => void }) {
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
        <WorkspaceMenu />
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

/** The name of the workspace; opens the others where a person belongs to several. */
function WorkspaceMenu() {
  const { data: me } = useMe()
  const present = me && presentWorkspace(me)
  if (!me || !present) return null
  const name = (
    <>
      <span className="shell-workspace">{present.name}</span>
      {present.demo ? (
        <Badge size="sm" variant="default">
          Demo
        </Badge>
      ) : null}
    </>
  )
  if (me.workspaces.length === 1) return name
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="shell-brand">
          <VisuallyHidden>Workspace </VisuallyHidden>
          {name}
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {me.workspaces.map(({ id, name: other }) => (
          <Menu.Item key={id} disabled={id === present.id} onClick={() => openWorkspace(id)}>
            {other}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
