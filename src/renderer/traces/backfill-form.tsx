import { Button, Checkbox, NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { checkField } from '../ui/forms/fields.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useBackfill } from './traces.queries.ts'

const windows = [
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '366', label: 'Last 366 days' },
] as const

/** A window of the past, and whether to read on. */
export function BackfillForm({ integrationId }: { readonly integrationId: string }) {
  const backfill = useBackfill(integrationId)
  const [days, setDays] = useState<string>('7')
  const [most, setMost] = useState<number | string>('')
  const [onlyRoots, setOnlyRoots] = useState(false)
  const [follow, setFollow] = useState(false)
  const start = () => {
    // A little less than the longest window, which is measured by the service's clock.
    const from = new Date(Date.now() - Number(days) * 86_400_000 + 60_000).toISOString()
    backfill.mutate({ from, only_roots: onlyRoots, follow, ...(typeof most === 'number' ? { max_traces: most } : {}) })
  }
  return (
    <div className="traces-form">
      <Select label="Window" data={[...windows]} value={days} onChange={value => setDays(value ?? '7')} />
      <NumberInput label="Max traces" placeholder="No limit" min={1} max={10_000_000} value={most} onChange={setMost} />
      <Checkbox
        label="First spans only"
        description="Faster: names, inputs and outputs without the steps between"
        {...checkField(onlyRoots, setOnlyRoots)}
      />
      <Checkbox
        label="Keep reading new traces"
        description="Every 15 minutes, with 30 minutes of overlap for late spans"
        {...checkField(follow, setFollow)}
      />
      {backfill.error ? <ErrorState error={backfill.error} title="Couldn’t start the backfill" /> : null}
      <div>
        <Button loading={backfill.isPending} onClick={start}>
          Start backfill
        </Button>
      </div>
    </div>
  )
}
