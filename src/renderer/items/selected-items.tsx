import { Button } from '@mantine/core'
import { archivedElsewhere, DeletableKind, type ItemKind } from '../../contract/items/items.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { DeleteItem } from './delete-item.tsx'
import { FolderButton } from './folder-button.tsx'
import { useChangeItems } from './items.queries.ts'

interface SelectedItemsProps {
  readonly kind: ItemKind
  readonly ids: readonly string[]
  /** Whether archived ones are listed. */
  readonly isRestoring: boolean
  readonly onClear: () => void
}

/** What is done to several items of a list at once. */
export function SelectedItems({ kind, ids, isRestoring, onClear }: SelectedItemsProps) {
  const change = useChangeItems()
  const [only] = ids.length === 1 ? ids : []
  const deletable = DeletableKind.safeParse(kind)
  const count = formatCount(ids.length)
  const file = () =>
    change.mutate(
      { kind, ids: [...ids], archived: !isRestoring },
      {
        onSuccess: () => {
          notifyDone(`${count} ${isRestoring ? 'restored' : 'archived'}.`)
          onClear()
        },
        onError: error => notifyFailed(isRestoring ? 'Couldn’t restore' : 'Couldn’t archive', error),
      },
    )
  return (
    <>
      {archivedElsewhere.includes(kind) ? null : (
        <Button variant="default" loading={change.isPending} onClick={file}>
          {isRestoring ? 'Restore' : 'Archive'} {count}
        </Button>
      )}
      {deletable.success && only !== undefined ? <DeleteItem kind={deletable.data} id={only} onDone={onClear} /> : null}
      <FolderButton kind={kind} ids={ids} onDone={onClear} />
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
    </>
  )
}
