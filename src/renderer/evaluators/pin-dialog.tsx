import { Button, Checkbox, Modal } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../lib/format/numbers.ts'
import { allItems } from '../api/pages.ts'
import { inputText, oneLine } from '../datasets/dataset-words.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { LoadMore } from '../ui/table/load-more.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { versionExamplesQuery } from './evaluators.queries.ts'
import type { PreviewExample } from './use-pins.ts'

interface PinDialogProps {
  readonly versionId: string
  readonly pins: readonly PreviewExample[]
  readonly most: number
  readonly onPin: (examples: readonly PreviewExample[]) => void
  readonly onClose: () => void
}

/** Chooses the examples of a dataset version that the preview shows. */
export function PinDialog({ versionId, pins, most, onPin, onClose }: PinDialogProps) {
  const examples = useInfiniteQuery(versionExamplesQuery(versionId))
  const [chosen, setChosen] = useState<readonly PreviewExample[]>(pins)
  const isChosen = (id: string) => chosen.some(({ example_id }) => example_id === id)
  const toggle = (example: PreviewExample): void =>
    setChosen(isChosen(example.example_id) ? chosen.filter(({ example_id }) => example_id !== example.example_id) : [...chosen, example])
  return (
    <Modal opened onClose={onClose} title={`Pin examples (${formatCount(chosen.length)} of ${formatCount(most)})`} size="lg">
      <div className="stack">
        {examples.isError ? (
          <ErrorState error={examples.error} title="Couldn’t load the examples" onRetry={() => void examples.refetch()} />
        ) : null}
        {examples.isPending ? <LinesSkeleton /> : null}
        <div className="stack" style={{ maxHeight: 360, overflowY: 'auto' }}>
          {allItems(examples.data).map(example => (
            <Checkbox
              key={example.example_id}
              checked={isChosen(example.example_id)}
              disabled={chosen.length >= most && !isChosen(example.example_id)}
              onChange={() => toggle(example)}
              label={
                <>
                  <UntrustedText text={oneLine(inputText(example.input))} layout="inline" />
                  {example.label === null ? null : <span className="quiet"> · {String(example.label)}</span>}
                </>
              }
            />
          ))}
          <LoadMore query={examples} size="xs" />
        </div>
        <DialogActions onCancel={onClose}>
          <Button
            onClick={() => {
              onPin(chosen)
              onClose()
            }}
          >
            Pin
          </Button>
        </DialogActions>
      </div>
    </Modal>
  )
}
