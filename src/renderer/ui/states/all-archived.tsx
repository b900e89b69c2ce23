import { Button } from '@mantine/core'
import { EmptyState } from './empty-state.tsx'

/** A list that is empty because everything of its kind is archived. */
export function AllArchived({ kind, onShow }: { readonly kind: 'run' | 'dataset' | 'monitor'; readonly onShow: () => void }) {
  return (
    <EmptyState
      title={`Every ${kind} is archived`}
      action={
        <Button variant="default" onClick={onShow}>
          Show archived {kind}s
        </Button>
      }
    />
  )
}
