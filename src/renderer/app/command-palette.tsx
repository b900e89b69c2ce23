import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { commands, destinations } from './navigation.ts'

/** Every page and action, by Ctrl or Cmd and K. */
export function CommandPalette() {
  const navigate = useNavigate()
  const go = (to: string) => () => void navigate(to)
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Pages',
      actions: destinations.map(({ to, label, icon: Icon, keywords }) => ({
        id: to,
        label,
        keywords,
        leftSection: <Icon size={16} aria-hidden />,
        onClick: go(to),
      })),
    },
    { group: 'Actions', actions: commands.map(({ to, label, description }) => ({ id: to, label, description, onClick: go(to) })) },
  ]
  return (
    <Spotlight
      actions={groups}
      shortcut={['mod + K']}
      nothingFound="No page or action has this name."
      highlightQuery
      lockScroll={false}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      // At once: what is typed right after the shortcut belongs into the field.
      transitionProps={{ duration: 0 }}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={16} aria-hidden />,
        placeholder: 'Go to a page or do something',
        'aria-label': 'Search pages and actions',
      }}
    />
  )
}
