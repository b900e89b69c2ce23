import { Button, NumberInput, Popover } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { type Run, sampleStates } from '../../contract/index.ts'
import { TagFilter } from '../annotations/tag-filter.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { sampleStatuses } from '../ui/values/statuses.ts'
import { passedOptions } from './passed-options.ts'
import { failureLabel } from '../ui/values/failure-words.ts'
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

/** Filters that are needed now and then, and how many of them are set. */
export function MoreFilters({ run }: { readonly run: Run }) {
  const { get } = useAddress()
  const set = moreFilterNames.filter(name => get(name) !== '').length
  return (
    <Popover width={320} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
          {set === 0 ? 'Filters' : `Filters (${set})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters">
        <div className="stack">
          <SelectFilter label="Status" name="status" options={statusOptions} width={288} />
          <SelectFilter label="Passed" name="passed" options={passedOptions} width={288} />
          <SelectFilter
            label="Error"
            name="error"
            width={288}
            options={run.progress.failures.map(({ code, count }) => ({ value: code, label: `${failureLabel(code)} (${count})` }))}
          />
          <SearchFilter label="Capability, e.g. arithmetic" name="capability" width={288} />
          <TagFilter runId={run.id} width={288} />
          <SelectFilter label="Bookmark" name="bookmarked" options={bookmarkOptions} width={288} />
          <SelectFilter label="Notes" name="noted" options={noteOptions} width={288} />
          <Range label="Row" from="from" to="to" />
          <Range label="Latency, ms" from="latency_min" to="latency_max" />
          <Range label="Tokens out" from="tokens_min" to="tokens_max" />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function Range({ label, from, to }: { readonly label: string; readonly from: string; readonly to: string }) {
  return (
    <div className="samples-range">
      <Bound label={`${label}, at least`} name={from} />
      <Bound label={`${label}, at most`} name={to} />
    </div>
  )
}

function Bound({ label, name }: { readonly label: string; readonly name: string }) {
  const { get, set } = useAddress()
  return (
    <NumberInput
      label={label}
      size="xs"
      min={0}
      allowDecimal={false}
      value={get(name)}
      onChange={value => set({ [name]: value === '' ? null : String(value) })}
    />
  )
}
