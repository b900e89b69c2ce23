import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { RefusedRuns } from './refused-runs.tsx'
import { runsInWords, type RunsTarget } from './use-change-runs.ts'

interface DeleteRunsProps {
  readonly target: RunsTarget
  readonly count: number
  readonly onDelete: () => Promise<unknown>
}

/** Deletes several runs permanently, once it has said how many and which stay. */
export function DeleteRuns({ target, count, onDelete }: DeleteRunsProps) {
  const [asking, setAsking] = useState(false)
  const preview = useQuery({
    queryKey: ['runs', 'deletable', target],
    queryFn: ({ signal }) => call('changeRuns', { body: { ...target, delete: true, dry_run: true } }, { signal }),
    enabled: asking,
    staleTime: 0,
  })
  const ready = preview.isFetching ? undefined : preview.data
  const deleted = ready?.changed ?? count
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Delete…
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${runsInWords(deleted)}?`}
        action={`Delete ${runsInWords(deleted)}`}
        disabled={ready === undefined || ready.changed === 0}
        onConfirm={onDelete}
      >
        <div className="stack">
          <div>
            Deleted permanently, with samples, transcripts, scores and retries. Ledger entries, exported files, comparisons and evaluations
            are kept. To hide runs from lists, archive them instead.
          </div>
          {preview.error ? <div>{preview.error.message}</div> : null}
          {ready && ready.refused_count > 0 ? <RefusedRuns outcome={ready} /> : null}
        </div>
      </ConfirmDialog>
    </>
  )
}
