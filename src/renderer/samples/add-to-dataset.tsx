import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '../../lib/format/numbers.ts'
import { AddSamplesDialog } from '../datasets/add-samples-dialog.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { matchingSampleIds } from './matching-samples.ts'
import type { SampleFilters } from './samples.queries.ts'

interface AddToDatasetProps {
  readonly runId: string
  readonly filters: SampleFilters
  readonly chosen: ReadonlySet<string>
}

/** Makes examples of the ticked samples or, with none ticked, of all that match the filters. */
export function AddToDataset({ runId, filters, chosen }: AddToDatasetProps) {
  const [ids, setIds] = useState<readonly string[] | null>(null)
  const [reading, setReading] = useState(false)
  const open = async (): Promise<void> => {
    if (chosen.size > 0) return setIds([...chosen])
    setReading(true)
    try {
      const matching = await matchingSampleIds(runId, filters)
      if (matching.length === 0) throw new Error('No samples match these filters.')
      setIds(matching)
    } catch (error) {
      notifyFailed('Couldn’t read the samples', error)
    } finally {
      setReading(false)
    }
  }
  return (
    <>
      <Button variant="default" loading={reading} onClick={() => void open()}>
        {chosen.size === 0 ? 'Add to dataset' : `Add ${formatCount(chosen.size)} to dataset`}
      </Button>
      {ids === null ? null : <AddSamplesDialog runId={runId} sampleIds={ids} onClose={() => setIds(null)} />}
    </>
  )
}
