import { Button } from '@mantine/core'
import { EmptyState } from './empty-state.tsx'

/** A list of which the filters, or a search where it is the only one, leave nothing. `kind` is what it lists, in the plural. */
export function NoMatches({
  kind,
  by = 'filters',
  onClear,
}: {
  readonly kind: string
  readonly by?: 'filters' | 'search'
  readonly onClear: () => void
}) {
  return (
    <EmptyState
      title={`No ${kind} match ${by === 'search' ? 'this search' : 'these filters'}`}
      action={
        <Button variant="default" onClick={onClear}>
          Clear {by}
        </Button>
      }
    />
  )
}
