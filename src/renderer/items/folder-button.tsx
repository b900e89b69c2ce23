import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ItemKind } from '../../contract/items/items.schemas.ts'
import { foldersQuery } from './items.queries.ts'
import { NamePopover } from './name-popover.tsx'

interface FolderButtonProps {
  readonly kind: ItemKind
  /** Null: out of their folder. */
  readonly onMove: (folder: string | null) => Promise<unknown>
}

/** Moves items to a folder that is there or a new one, or out of theirs. */
export function FolderButton({ kind, onMove }: FolderButtonProps) {
  const [wanted, setWanted] = useState(false)
  const folders = useQuery({ ...foldersQuery(kind), enabled: wanted }).data ?? []
  return (
    <NamePopover
      label="Folder"
      placeholder="A new or existing folder"
      maxLength={60}
      known={folders.map(({ folder }) => folder)}
      onOpen={() => setWanted(true)}
      submit={{ label: 'Move', run: onMove }}
      other={{ label: 'No folder', run: () => onMove(null), isNameless: true }}
    >
      Move to folder
    </NamePopover>
  )
}

export const movedTo = (folder: string | null): string => (folder === null ? 'Removed from folders.' : `Moved to ${folder}.`)
