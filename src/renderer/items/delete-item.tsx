import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DeletableKind } from '../../contract/items/items.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { everything, useChange } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { notifyDone } from '../ui/page/notify.ts'

interface DeleteItemProps {
  readonly kind: DeletableKind
  readonly id: string
  readonly onDone: () => void
}

/** Deletes one item for good, or says what rests on it. */
export function DeleteItem({ kind, id, onDone }: DeleteItemProps) {
  const [asking, setAsking] = useState(false)
  const uses = useQuery({
    queryKey: ['items', 'uses', kind, id],
    queryFn: ({ signal }) => call('listItemUses', { query: { kind, id } }, { signal }),
    enabled: asking,
    staleTime: 0,
  })
  const remove = useChange(() => call('deleteItem', { query: { kind, id } }), everything)
  const used = uses.data?.items ?? []
  const confirm = async (): Promise<void> => {
    await remove.mutateAsync()
    notifyDone(`The ${kind} is deleted.`)
    onDone()
  }
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Delete this ${kind}?`}
        action={`Delete ${kind}`}
        disabled={uses.data === undefined || used.length > 0}
        onConfirm={confirm}
      >
        {used.length === 0 ? (
          'It cannot be restored. Archive it to only take it out of the list.'
        ) : (
          <>It cannot be deleted, since this rests on it: {used.map(use => showHidden(use.name)).join(', ')}. Archive it instead.</>
        )}
      </ConfirmDialog>
    </>
  )
}
