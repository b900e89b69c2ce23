import { useQuery } from '@tanstack/react-query'
import { archivedElsewhere, type ItemKind } from '../../contract/items/items.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { SelectFilter } from '../ui/forms/filters.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { foldersQuery } from './items.queries.ts'

export const archivedOptions = [
  { value: 'true', label: 'Archived only' },
  { value: 'any', label: 'Archived too' },
] as const

/** The folders in use, and archived items where the list has none of its own for them. */
export function FilingFilters({ kind }: { readonly kind: ItemKind }) {
  return (
    <>
      {archivedElsewhere.includes(kind) ? null : <SelectFilter label="Archived" name="archived" options={archivedOptions} width={130} />}
      <FolderFilter kind={kind} />
    </>
  )
}

/** One of the folders in use; nothing while there are none. */
export function FolderFilter({ kind }: { readonly kind: ItemKind }) {
  const chosen = useAddress().get('folder')
  const folders = useQuery(foldersQuery(kind)).data ?? []
  const options = folders.map(({ folder, items }) => ({ value: folder, label: `${showHidden(folder)} (${formatCount(items)})` }))
  if (chosen !== '' && !folders.some(({ folder }) => folder === chosen)) options.push({ value: chosen, label: showHidden(chosen) })
  return options.length === 0 ? null : <SelectFilter label="Folder" name="folder" options={options} width={150} />
}
