import { Button, NumberInput, Popover } from '@mantine/core'
import { failureLabel } from '../../contract/runs/failure-labels.ts'
import { sampleStates } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { TagFilter } from '../annotations/tag-filter.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { IconFilter } from '../ui/pictures/icons.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { sampleStatuses } from '../ui/values/statuses.ts'
import { PartFilter } from './part-filter.tsx'
import { passedOptions } from './passed-options.ts'
import { moreFilterNames } from './more-filter-names.ts'

const statusOptions = sampleStates.map(status => ({ value: status, label: sampleStatuses[status].word }))
const bookmarkOptions = [
  { value: 'true', label: 'Bookmarked' },
  { value: 'false', label: 'Not bookmarked' },
]
const noteOptions = [
  { value: 'true', label: 'With notes' },
  { value: 'false', label: 'Without notes' },
]
const noMoreFilters = Object.fromEntries(moreFilterNames.map(name => [name, null]))

/** Filters that are needed now and then, and how many of them are set. */
export function MoreFilters({ run }: { readonly run: Run }) {
  const { get, set } = useAddress()
  const count = moreFilterNames.filter(name => get(name) !== '').length
  return (
    <Popover width="min(620px, calc(100vw - 32px))" position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters">
        <div className="samples-filters">
          <SelectFilter label="Status" name="status" options={statusOptions} width="100%" inPopover />
          <SelectFilter label="Passed" name="passed" options={passedOptions} width="100%" inPopover />
          <SelectFilter
            label="Error"
            name="error"
            width="100%"
            inPopover
            options={run.progress.failures.map(({ code, count: failed }) => ({ value: code, label: `${failureLabel(code)} (${failed})` }))}
          />
          <SearchFilter label="Capability, e.g. arithmetic" name="capability" width="100%" />
          <PartFilter run={run} />
          <SelectFilter label="Bookmark" name="bookmarked" options={bookmarkOptions} width="100%" inPopover />
          <SelectFilter label="Notes" name="noted" options={noteOptions} width="100%" inPopover />
          <TagFilter runId={run.id} width="100%" inPopover />
        </div>
        <div className="samples-ranges">
          <Range label="Row" from="from" to="to" />
          <Range label="Latency (ms)" from="latency_min" to="latency_max" />
          <Range label="Tokens out" from="tokens_min" to="tokens_max" />
        </div>
        <Button variant="subtle" size="compact-sm" mt="sm" disabled={count === 0} onClick={() => set(noMoreFilters)}>
          Clear these filters
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Both ends of what is shown, in one line. */
function Range({ label, from, to }: { readonly label: string; readonly from: string; readonly to: string }) {
  return (
    <div>
      <div className="small">{label}</div>
      <div className="samples-range">
        <Bound label={`${label}, at least`} placeholder="at least" name={from} />
        <Bound label={`${label}, at most`} placeholder="at most" name={to} />
      </div>
    </div>
  )
}

function Bound({ label, placeholder, name }: { readonly label: string; readonly placeholder: string; readonly name: string }) {
  const { get, set } = useAddress()
  return (
    <NumberInput
      aria-label={label}
      placeholder={placeholder}
      size="xs"
      min={0}
      hideControls
      allowDecimal={false}
      value={get(name)}
      onChange={value => set({ [name]: value === '' ? null : String(value) })}
    />
  )
}
