import { SegmentedControl, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { ModelField } from '../quotes/model-field.tsx'
import type { ModelChoice } from '../quotes/use-model-choice.ts'
import { finishedRunsQuery, runOfSide } from './side-runs.ts'

interface SideFieldProps {
  readonly side: 'candidate' | 'baseline'
  readonly models: ModelChoice
  /** A value of a model choice, or `run:<run id>`. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

/** A model that the decision runs, or a run that has finished. */
export function SideField({ side, models, value, onChange }: SideFieldProps) {
  const runId = runOfSide(value)
  const [way, setWay] = useState<'model' | 'run'>(runId === null ? 'model' : 'run')
  return (
    <>
      <SegmentedControl
        aria-label={`Answers of the ${side}`}
        style={{ alignSelf: 'start' }}
        value={way}
        onChange={next => {
          setWay(next === 'run' ? 'run' : 'model')
          onChange(null)
        }}
        data={[
          { value: 'model', label: 'Run a model' },
          { value: 'run', label: 'Finished run' },
        ]}
      />
      {way === 'model' ? (
        <ModelField choice={models} value={value} error={undefined} onChange={onChange} />
      ) : (
        <RunField value={runId} onChange={id => onChange(id === null ? null : `run:${id}`)} />
      )}
    </>
  )
}

function RunField({ value, onChange }: { readonly value: string | null; readonly onChange: (id: string | null) => void }) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, 300)
  const runs = useQuery(finishedRunsQuery(settled)).data ?? []
  return (
    <Select
      label="Finished run"
      description="Of one benchmark. Its answers count as seen before the plan"
      placeholder="Choose a run"
      maw={480}
      searchable
      onSearchChange={setSearch}
      // The service has searched already.
      filter={({ options }) => options}
      withScrollArea={false}
      styles={{ options: { maxHeight: 300, overflowY: 'auto' } }}
      nothingFoundMessage="No finished run has this name."
      data={runs.map(({ id, name, progress }) => ({ value: id, label: `${showHidden(name)} (${formatCount(progress.frozen)} samples)` }))}
      value={value}
      onChange={onChange}
    />
  )
}
