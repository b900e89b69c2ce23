import { Button, Menu, TextInput } from '@mantine/core'
import { IconBookmarks, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { showHidden } from '../../../lib/format/visible-text.ts'
import { readView, type SavedView, withoutView, withView } from './saved-view.ts'

const Views = z.array(z.object({ name: z.string(), query: z.string() }))

/** Filters and order of a list under a name, kept in this browser. @param list names the list */
export function SavedViews({ list }: { readonly list: string }) {
  const place = `assay.views.${list}`
  const [params, setParams] = useSearchParams()
  const [views, setViews] = useState<readonly SavedView[]>(() => read(place))
  const [name, setName] = useState('')
  const [opened, setOpened] = useState(false)
  const keep = (next: readonly SavedView[]): void => {
    setViews(next)
    localStorage.setItem(place, JSON.stringify(next))
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '') return
    keep(withView(views, { name: name.trim(), query: readView(params) }))
    setName('')
    setOpened(false)
  }
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconBookmarks size={16} aria-hidden />}>
          Views
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.map(view => (
          <Menu.Item key={view.name} onClick={() => setParams(view.query, { replace: true })}>
            {showHidden(view.name)}
          </Menu.Item>
        ))}
        {views.map(view => (
          <Menu.Item
            key={`delete ${view.name}`}
            color="red"
            leftSection={<IconTrash size={14} aria-hidden />}
            closeMenuOnClick={false}
            onClick={() => keep(withoutView(views, view.name))}
          >
            Delete {showHidden(view.name)}
          </Menu.Item>
        ))}
        {views.length > 0 ? <Menu.Divider /> : null}
        <form className="row" style={{ padding: 8, flexWrap: 'nowrap' }} onSubmit={save}>
          <TextInput
            aria-label="Name of the view"
            placeholder="Name of this view"
            maxLength={60}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            // The menu takes letters as a search of its items.
            onKeyDown={event => {
              if (event.key.length === 1) event.stopPropagation()
            }}
          />
          <Button type="submit" disabled={name.trim() === ''}>
            Save
          </Button>
        </form>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Stored data may be outdated or hand-edited. */
function read(place: string): readonly SavedView[] {
  try {
    return Views.catch([]).parse(JSON.parse(localStorage.getItem(place) ?? '[]'))
  } catch {
    return []
  }
}
