import { Autocomplete, Button, Popover } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ItemKind } from '../../contract/items/items.schemas.ts'
import { notifyDone } from '../ui/page/notify.ts'
import { foldersQuery, useChangeItems } from './items.queries.ts'

interface FolderButtonProps {
  readonly kind: ItemKind
  readonly ids: readonly string[]
  readonly onDone: () => void
}

/** Moves items to a folder that is there or a new one, or out of theirs. */
export function FolderButton({ kind, ids, onDone }: FolderButtonProps) {
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState('')
  const folders = useQuery({ ...foldersQuery(kind), enabled: opened }).data ?? []
  const change = useChangeItems()
  const move = (folder: string | null) =>
    change.mutate(
      { kind, ids: [...ids], folder },
      {
        onSuccess: () => {
          notifyDone(folder === null ? 'Removed from folders.' : `Moved to ${folder}.`)
          setOpened(false)
          onDone()
        },
      },
    )
  const name = typed.trim()
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus withinPortal shadow="md" position="bottom-start">
      <Popover.Target>
        <Button variant="default" onClick={() => setOpened(before => !before)}>
          Move to folder
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className="stack"
          onSubmit={event => {
            event.preventDefault()
            if (name !== '') move(name)
          }}
        >
          <Autocomplete
            label="Folder"
            placeholder="A new or existing folder"
            maxLength={60}
            data-autofocus
            comboboxProps={{ withinPortal: false }}
            data={folders.map(({ folder }) => folder)}
            value={typed}
            onChange={setTyped}
            error={change.error?.message}
          />
          <div className="row">
            <Button type="submit" loading={change.isPending} disabled={name === ''}>
              Move
            </Button>
            <Button variant="subtle" color="gray" onClick={() => move(null)}>
              No folder
            </Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
