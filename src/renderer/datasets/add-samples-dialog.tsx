import { Anchor, Modal, Select } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { notifyDone } from '../ui/page/notify.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'

interface AddSamplesDialogProps {
  readonly runId: string
  readonly sampleIds: readonly string[]
  readonly onClose: () => void
}

/** Samples of one request. */
const BATCH = 1000

/** Adds chosen samples of a run to a dataset: input, answer, reference and scores. */
export function AddSamplesDialog({ runId, sampleIds, onClose }: AddSamplesDialogProps) {
  const client = useQueryClient()
  const [datasetId, setDatasetId] = useState<string | null>(null)
  const datasets = useQuery({
    queryKey: ['datasets', 'for-samples'],
    queryFn: ({ signal }) => everyPage(cursor => call('listDatasets', { query: { cursor, limit: 100 } }, { signal })),
  })
  const add = useMutation({
    mutationFn: async (dataset_id: string) => {
      const sum = { created: 0, duplicates: 0, skipped: 0 }
      for (let from = 0; from < sampleIds.length; from += BATCH) {
        const body = { run_id: runId, sample_ids: sampleIds.slice(from, from + BATCH) }
        const { created, duplicates, skipped } = await call('addExamplesFromRun', { params: { dataset_id }, body })
        sum.created += created
        sum.duplicates += duplicates
        sum.skipped += skipped.length
      }
      return sum
    },
    onSuccess: ({ created, duplicates, skipped }) => {
      notifyDone(`Examples added: ${formatCount(created)}. Already there: ${formatCount(duplicates)}. Skipped: ${formatCount(skipped)}.`)
      void client.invalidateQueries({ queryKey: ['datasets'] })
      onClose()
    },
  })
  const usable = (datasets.data ?? []).filter(({ task }) => task !== 'pairwise')
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Add ${sampleIds.length === 1 ? '1 sample' : `${formatCount(sampleIds.length)} samples`} to a dataset`}
    >
      <div className="stack">
        {datasets.isPending ? (
          <LinesSkeleton />
        ) : datasets.isError ? (
          <ErrorState error={datasets.error} title="Couldn’t load datasets" onRetry={() => void datasets.refetch()} />
        ) : usable.length === 0 ? (
          <p className="quiet">
            No dataset takes single answers yet.{' '}
            <Anchor component={Link} to="/datasets" fz="inherit" underline="always">
              Create one
            </Anchor>{' '}
            first.
          </p>
        ) : (
          <Select
            label="Dataset"
            required
            searchable
            data={usable.map(({ id, name }) => ({ value: id, label: name }))}
            value={datasetId}
            onChange={setDatasetId}
          />
        )}
        {add.error ? <ErrorState error={add.error} title="The samples were not added" /> : null}
        <DialogActions onCancel={onClose}>
          <ReasonedButton
            blocked={datasetId === null ? 'Choose a dataset.' : null}
            loading={add.isPending}
            onClick={() => datasetId !== null && add.mutate(datasetId)}
          >
            Add to dataset
          </ReasonedButton>
        </DialogActions>
      </div>
    </Modal>
  )
}
