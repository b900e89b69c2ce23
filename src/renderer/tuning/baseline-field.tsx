import { Select } from '@mantine/core'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatEstimate } from '../../lib/format/percent.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { concludedGroup, type TypedMonitor } from './monitor-terms.ts'
import { useEndedRuns } from './tuning.queries.ts'

const options = { withScrollArea: false, styles: { options: { maxHeight: 320, overflowY: 'auto' } } } as const

interface BaselineProps {
  readonly value: TypedMonitor['baseline']
  readonly onChange: (change: Pick<TypedMonitor, 'baseline'>) => void
}

/** What a monitor compares with: an ended run, or an arm of a session. */
export function BaselineField({ session, ...props }: BaselineProps & { readonly session: TuneSession | null }) {
  return session === null ? <RunField {...props} /> : <ArmField session={session} {...props} />
}

function RunField({ value, onChange }: BaselineProps) {
  const runs = useEndedRuns()
  if (runs.isError) return <ErrorState error={runs.error} title="Couldn’t load runs" onRetry={() => void runs.refetch()} />
  const choose = (id: string | null) => {
    const run = runs.data?.find(one => one.id === id)
    const profile = run?.profiles[0]
    onChange({ baseline: run && profile ? { profile_id: profile.profile_id, baseline: { run_id: run.id } } : null })
  }
  return (
    <Select
      {...options}
      label="Baseline run"
      description="Its model is called again on its benchmark."
      searchable
      required
      nothingFoundMessage="No ended runs."
      data={(runs.data ?? []).map(({ id, name: title, model }) => ({ value: id, label: `${title} (${model.title})` }))}
      value={value && 'run_id' in value.baseline ? value.baseline.run_id : null}
      onChange={choose}
    />
  )
}

function ArmField({ session, value, onChange }: BaselineProps & { readonly session: TuneSession }) {
  const group = concludedGroup(session)
  if (!group) return null
  const { id, name, conclusion } = session
  const monitored = group.arms.find(({ label }) => label === conclusion?.recommended) ?? group.arms[0]
  return (
    <>
      <KeyValues
        items={{
          Session: <UntrustedText text={name} layout="prose" />,
          'Monitored call': <UntrustedText text={monitored ? `${monitored.label} (${monitored.model.title})` : ''} layout="prose" />,
        }}
      />
      <Select
        {...options}
        label="Baseline"
        description="The arm that the monitored call must stay as good as."
        required
        allowDeselect={false}
        data={group.arms.map(({ label, quality }) => ({ value: label, label: `${label}: ${formatEstimate(quality)}` }))}
        value={value && 'arm' in value.baseline ? value.baseline.arm : null}
        onChange={arm => {
          if (arm !== null) onChange({ baseline: { session_id: id, baseline: { group_id: group.id, arm } } })
        }}
      />
    </>
  )
}
