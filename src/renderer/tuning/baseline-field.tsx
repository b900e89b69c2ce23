import { Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatEstimate } from '../../lib/format/percent.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { RunSelect } from '../runs/run-select.tsx'
import { runQuery } from '../runs/runs.queries.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { concludedGroup, type TypedMonitor } from './monitor-terms.ts'

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
  const client = useQueryClient()
  const choose = async (id: string | null): Promise<void> => {
    const profile = id === null ? undefined : (await client.ensureQueryData(runQuery(id))).profiles[0]
    onChange({ baseline: id !== null && profile ? { profile_id: profile.profile_id, baseline: { run_id: id } } : null })
  }
  return (
    <RunSelect
      label="Baseline run"
      description="Its model is called again on its benchmark."
      required
      detail={run => showHidden(run.model.title)}
      value={value && 'run_id' in value.baseline ? value.baseline.run_id : null}
      onChange={id => void choose(id)}
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
        data={group.arms.map(({ label, quality }) => ({ value: label, label: `${label}: ${formatEstimate(quality)}` }))}
        value={value && 'arm' in value.baseline ? value.baseline.arm : null}
        onChange={arm => {
          if (arm !== null) onChange({ baseline: { session_id: id, baseline: { group_id: group.id, arm } } })
        }}
      />
    </>
  )
}
