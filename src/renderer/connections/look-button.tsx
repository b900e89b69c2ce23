import { Button } from '@mantine/core'
import type { FoundRuntime } from '../../contract/connections/presets.schemas.ts'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { useDiscoverRuntimes } from './models.queries.ts'

/** Looks for model servers on this machine, whose models are in the list from then on. */
export function LookButton() {
  const look = useDiscoverRuntimes()
  return (
    <Button
      variant="default"
      loading={look.isPending}
      onClick={() =>
        look.mutate(undefined, {
          onSuccess: found => notifyDone(words(found)),
          onError: error => notifyFailed('Couldn’t detect local models', error),
        })
      }
    >
      Detect local models
    </Button>
  )
}

function words(found: readonly FoundRuntime[]): string {
  if (found.length === 0) return 'No model server answers on this machine’s usual ports.'
  return `Found ${found.map(({ title, models }) => `${title} with ${models.length} ${models.length === 1 ? 'model' : 'models'}`).join(', ')}.`
}
