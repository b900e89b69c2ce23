import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { archivedElsewhere, DeletableKind, type ItemKind } from '../../contract/items/items.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { DeleteItem } from './delete-item.tsx'
import { FolderButton, movedTo } from './folder-button.tsx'
import { useChangeItems } from './items.queries.ts'

interface SelectedItemsProps {
  readonly kind: ItemKind
  readonly ids: readonly string[]
  /** Whether archived ones are listed. */
  readonly isRestoring: boolean
  readonly onClear: () => void
  /** Everything that a filter matches, instead of `ids`. */
  readonly everything?: Everything | null
}

export interface Everything {
  readonly count: number
  readonly change: (changes: { readonly archived?: boolean; readonly folder?: string | null }) => Promise<unknown>
}

/** What is done to several items of a list at once. */
export function SelectedItems({ kind, ids, isRestoring, onClear, everything = null }: SelectedItemsProps) {
  const items = useChangeItems()
  const change = useMutation({
    mutationFn: (changes: Parameters<Everything['change']>[0]) =>
      everything ? everything.change(changes) : items.mutateAsync({ kind, ids: [...ids], ...changes }),
  })
  const [only] = ids.length === 1 ? ids : []
  const deletable = DeletableKind.safeParse(kind)
  const count = formatCount(everything?.count ?? ids.length)
  const file = () =>
    change.mutate(
      { archived: !isRestoring },
      {
        onSuccess: () => {
          notifyDone(`${count} ${isRestoring ? 'restored' : 'archived'}.`)
          onClear()
        },
        onError: error => notifyFailed(isRestoring ? 'Couldn’t restore' : 'Couldn’t archive', error),
      },
    )
  const move = async (folder: string | null): Promise<void> => {
    await change.mutateAsync({ folder })
    notifyDone(movedTo(folder))
    onClear()
  }
  return (
    <>
      {archivedElsewhere.includes(kind) ? null : (
        <Button variant="default" loading={change.isPending} onClick={file}>
          {isRestoring ? 'Restore' : 'Archive'} {count}
        </Button>
      )}
      {deletable.success && only !== undefined ? <DeleteItem kind={deletable.data} id={only} onDone={onClear} /> : null}
      <FolderButton kind={kind} onMove={move} />
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
    </>
  )
}
