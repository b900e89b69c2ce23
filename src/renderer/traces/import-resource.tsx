import { Modal, Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ProviderResource } from '../../contract/traces/integrations.schemas.ts'
import type { WorkloadSource } from '../../contract/traces/sources.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useDatasetChoices } from './traces.queries.ts'

interface ImportResourceProps {
  readonly integrationId: string
  readonly resource: ProviderResource
  readonly onClose: () => void
}

type Tally = Pick<WorkloadSource['source'], 'created' | 'revised' | 'unchanged' | 'skipped'>

const nothing: Tally = { created: 0, revised: 0, unchanged: 0, skipped: [] }
const newDataset = 'new'

/** Reads a resource into a dataset, page by page, and says what came of each item. */
export function ImportResource({ integrationId, resource, onClose }: ImportResourceProps) {
  const client = useQueryClient()
  const datasets = useDatasetChoices()
  const [choice, setChoice] = useState<string>(newDataset)
  const [name, setName] = useState(resource.name.slice(0, 200))
  const [tally, setTally] = useState<Tally>(nothing)
  const isClosed = useRef(false)
  const run = useMutation({
    mutationFn: async () => {
      const datasetId = choice === newDataset ? (await call('createDataset', { body: { name, task: 'answer' } })).id : choice
      setChoice(datasetId)
      let sum = nothing
      for (let cursor: string | undefined; !isClosed.current; ) {
        const { source, next_cursor } = await call('addWorkloadSource', {
          params: { dataset_id: datasetId },
          body: {
            integration_id: integrationId,
            kind: resource.kind,
            resource_id: resource.id,
            ...(cursor === undefined ? {} : { cursor }),
          },
        })
        sum = {
          created: sum.created + source.created,
          revised: sum.revised + source.revised,
          unchanged: sum.unchanged + source.unchanged,
          skipped: [...sum.skipped, ...source.skipped].slice(0, 1000),
        }
        setTally(sum)
        if (next_cursor === null) break
        cursor = next_cursor
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['datasets'] }),
  })
  const close = () => {
    isClosed.current = true
    onClose()
  }
  const read = tally.created + tally.revised + tally.unchanged + tally.skipped.length
  const options = [
    { value: newDataset, label: 'New dataset' },
    ...(datasets.data ?? []).filter(({ archived }) => !archived).map(({ id, name: title }) => ({ value: id, label: title })),
  ]
  return (
    <Modal opened onClose={close} title={`Import ${resource.name}`} size="md">
      <div className="stack">
        <Select label="Into" data={options} value={choice} disabled={run.isPending} onChange={value => setChoice(value ?? newDataset)} />
        {choice === newDataset ? <TextInput label="Dataset name" required {...textField(name, setName)} /> : null}
        <output aria-live="polite">
          {read > 0
            ? `${formatCount(read)} items read: ${formatCount(tally.created)} added, ${formatCount(tally.revised)} revised, ${formatCount(tally.unchanged)} unchanged, ${formatCount(tally.skipped.length)} skipped.`
            : ''}
        </output>
        {tally.skipped.slice(0, 5).map(({ provider_id, reason }) => (
          <div key={provider_id} className="quiet small">
            <UntrustedText text={`${provider_id}: ${reason}`} layout="prose" />
          </div>
        ))}
        {run.isError ? <ErrorState error={run.error} title="The import stopped" /> : null}
        {run.isSuccess ? (
          <Notice tone="pass" title="Import complete">
            Importing again skips existing items.
          </Notice>
        ) : null}
        <DialogActions onCancel={close} cancel={run.isSuccess ? 'Close' : 'Cancel'}>
          {run.isSuccess ? null : (
            <ReasonedButton
              loading={run.isPending}
              blocked={choice === newDataset && name.trim() === '' ? 'Enter a name for the dataset.' : null}
              onClick={() => run.mutate()}
            >
              Import
            </ReasonedButton>
          )}
        </DialogActions>
      </div>
    </Modal>
  )
}
