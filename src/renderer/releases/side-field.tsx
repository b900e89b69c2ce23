import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '../../lib/format/numbers.ts'
import { ModelField } from '../quotes/model-field.tsx'
import type { ModelChoice } from '../quotes/use-model-choice.ts'
import { RunSelect } from '../runs/run-select.tsx'
import { runOfSide } from './side-runs.ts'

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
        <RunSelect
          label="Finished run"
          description="Of one benchmark. Its answers count as seen before the plan"
          detail={({ progress }) => `${formatCount(progress.frozen)} samples`}
          isOffered={({ profiles }) => profiles.length === 1}
          value={runId}
          onChange={id => onChange(id === null ? null : `run:${id}`)}
        />
      )}
    </>
  )
}
