import { ActionIcon, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { type Run, sampleStates } from '../../contract/index.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { canRetry } from '../runs/follow-up.ts'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { sampleStatuses } from '../ui/values/statuses.ts'
import { RetryMenu } from './retry-menu.tsx'
import { passedOptions } from './passed-options.ts'
import type { SampleFilters } from './samples.queries.ts'

const statusOptions = sampleStates.map(status => ({ value: status, label: sampleStatuses[status].word }))

interface SamplesToolbarProps {
  readonly run: Run
  readonly filters: SampleFilters
  readonly filtered: boolean
  readonly chosen: ReadonlySet<string>
  /** Only while the run works. */
  readonly onRefresh?: () => void
}

export function SamplesToolbar({ run, filters, filtered, chosen, onRefresh }: SamplesToolbarProps) {
  return (
    <>
      <SearchFilter label="Search task, answer, output" />
      <SelectFilter label="Status" name="status" options={statusOptions} width={130} />
      <SelectFilter label="Passed" name="passed" options={passedOptions} width={130} />
      {run.profiles.length > 1 ? (
        <SelectFilter
          label="Profile"
          name="profile"
          width={200}
          options={run.profiles.map(profile => ({ value: profile.profile_id, label: showHidden(profileName(profile)) }))}
        />
      ) : null}
      <RequestMenu operation="listSamples" request={{ params: { run_id: run.id }, query: filters }} />
      {canRetry(run) ? <RetryMenu run={run} filters={filters} filtered={filtered} chosen={chosen} /> : null}
      {onRefresh ? (
        <Tooltip label="Read the list again">
          <ActionIcon variant="default" size={32} onClick={onRefresh} aria-label="Read the list again">
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
      ) : null}
    </>
  )
}
