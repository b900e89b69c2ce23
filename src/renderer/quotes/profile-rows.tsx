import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { BenchmarkDetail, Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import { formatCount, noNumber } from '../../lib/format/numbers.ts'
import { capabilityName } from '../../lib/format/capability-names.ts'
import { missingCapabilities } from '../../lib/missing-capabilities.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { checkField } from '../ui/forms/fields.ts'
import { OlderVersion, olderProfiles, ShowOlder } from '../catalog/older-profiles.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { availabilities } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

interface ProfileRowsProps {
  readonly benchmarks: readonly BenchmarkDetail[]
  readonly selected: readonly string[]
  readonly capabilities: readonly string[] | null
  readonly onChange: (selected: readonly string[]) => void
}

export function ProfileRows({ benchmarks, selected, capabilities, onChange }: ProfileRowsProps) {
  const [withOlder, setWithOlder] = useState(false)
  const older = olderProfiles(benchmarks)
  const all = benchmarks.flatMap(benchmark => benchmark.profiles)
  const rows = withOlder ? all : all.filter(({ id }) => !older.has(id) || selected.includes(id))
  const toggle = (id: string, on: boolean): void => onChange(on ? [...selected, id] : selected.filter(one => one !== id))
  const columns: readonly Column<Profile>[] = [
    {
      id: 'profile',
      title: 'Profile',
      width: 220,
      grow: true,
      rowHeader: true,
      cell: profile => (
        <Checkbox
          size="xs"
          disabled={profile.quote_availability.status !== 'ready_for_quote' && !selected.includes(profile.id)}
          {...checkField(selected.includes(profile.id), isOn => toggle(profile.id, isOn))}
          label={
            <>
              <UntrustedText text={profileName(profile)} layout="prose" />
              <OlderVersion version={older.get(profile.id)} />
            </>
          }
          // In the widest column: a sentence beside the state made a row as high as the list.
          description={
            profile.quote_availability.reasons.length === 0 ? undefined : (
              <UntrustedText text={profile.quote_availability.reasons.join(' ')} layout="prose" />
            )
          }
          title={showHidden(profile.id)}
        />
      ),
    },
    {
      id: 'tasks',
      title: 'Tasks',
      width: 64,
      align: 'end',
      cell: profile => (profile.task_count === null ? noNumber : formatCount(profile.task_count)),
    },
    { id: 'shots', title: 'Shots', width: 56, align: 'end', cell: profile => formatCount(profile.shots) },
    { id: 'metric', title: 'Metric', width: 140, cell: profile => profile.metrics.find(metric => metric.primary)?.title },
    { id: 'chance', title: 'Chance', width: 64, align: 'end', cell: profile => formatPercent(profile.chance_level) },
    { id: 'state', title: 'State', width: 136, cell: profile => <State profile={profile} capabilities={capabilities} /> },
  ]
  return (
    <div className="quotes-profiles">
      <PlainTable label="Profiles" columns={columns} rows={rows} rowId={profile => profile.id} />
      <ShowOlder count={older.size} isOn={withOlder} onChange={setWithOlder} />
    </div>
  )
}

function State({ profile, capabilities }: { readonly profile: Profile; readonly capabilities: readonly string[] | null }) {
  const { status } = profile.quote_availability
  const lacking = capabilities === null ? [] : missingCapabilities(profile.requires, capabilities)
  if (status === 'ready_for_quote' && lacking.length > 0) {
    return <StatusBadge status={{ word: `Model has no ${lacking.map(capabilityName).join(', ')}`, tone: 'warn' }} />
  }
  return <StatusBadge status={availabilities[status]} />
}
