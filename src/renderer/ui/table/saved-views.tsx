import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { showHidden } from '../../../lib/format/visible-text.ts'
import { textField } from '../forms/fields.ts'
import { notifyFailed } from '../page/notify.ts'
import { IconButton } from '../forms/icon-button.tsx'
import { IconBookmarks, IconTrash } from '../pictures/icons.tsx'
import { readView, type SavedView, withoutView, withView } from './saved-view.ts'

const Views = z.array(z.object({ name: z.string(), query: z.string() }))

interface SavedViewsProps {
  /** Names the list. */
  readonly list: string
  /** A sign instead of a word, where the filters fill their row. */
  readonly compact?: boolean
}

/** Filters and order of a list under a name, kept in this browser. */
export function SavedViews({ list, compact = false }: SavedViewsProps) {
  const place = `assay.views.${list}`
  const [params, setParams] = useSearchParams()
  const [views, setViews] = useState<readonly SavedView[]>(() => read(place))
  const [name, setName] = useState('')
  const [opened, setOpened] = useState(false)
  // Another window may have saved or deleted some meanwhile.
  const change = (next: (views: readonly SavedView[]) => readonly SavedView[]): void => {
    try {
      const after = next(read(place))
      localStorage.setItem(place, JSON.stringify(after))
      setViews(after)
    } catch (error) {
      notifyFailed('Couldn’t save the view', error)
    }
  }
  const open = (isOpen: boolean): void => {
    if (isOpen) setViews(read(place))
    setOpened(isOpen)
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '') return
    change(known => withView(known, { name: name.trim(), query: readView(params) }))
    setName('')
    setOpened(false)
  }
  return (
    <Popover opened={opened} onChange={open} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        {compact ? (
          <ActionIcon variant="default" size={32} aria-label="Views" onClick={() => open(!opened)}>
            <IconBookmarks size={16} aria-hidden />
          </ActionIcon>
        ) : (
          <Button variant="default" leftSection={<IconBookmarks size={16} aria-hidden />} onClick={() => open(!opened)}>
            Views
          </Button>
        )}
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label="Views">
        {views.length > 0 ? (
          <ul className="saved-views">
            {views.map(view => (
              <li key={view.name}>
                <Button
                  variant="subtle"
                  color="gray"
                  size="xs"
                  onClick={() => {
                    setOpened(false)
                    setParams(view.query, { replace: true })
                  }}
                >
                  {showHidden(view.name)}
                </Button>
                <IconButton
                  icon={IconTrash}
                  iconSize={14}
                  label={`Delete ${showHidden(view.name)}`}
                  onClick={() => change(known => withoutView(known, view.name))}
                />
              </li>
            ))}
          </ul>
        ) : null}
        <form className="row" style={{ flexWrap: 'nowrap' }} onSubmit={save}>
          <TextInput aria-label="Name of the view" placeholder="Name of this view" maxLength={60} {...textField(name, setName)} />
          <Button type="submit" disabled={name.trim() === ''}>
            Save
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
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
