import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../states/error-state.tsx'

export interface Found {
  readonly value: string
  readonly label: string
  /** Heading under which it is offered. */
  readonly group?: string
}

type Passed = 'label' | 'description' | 'placeholder' | 'required' | 'error' | 'maw'

interface SearchSelectProps extends Pick<SelectProps, Passed> {
  /** First word of what it reads, and what the things are called: "runs". */
  readonly plural: string
  /** Asks the service, which has searched everything; the best matches first. Part of the key is what it depends on. */
  readonly find: (q: string, signal: AbortSignal) => Promise<readonly Found[]>
  readonly findKey: readonly unknown[]
  readonly value: string | null
  /** The chosen one, where it may not be among those that are offered. */
  readonly chosen?: Found | undefined
  readonly onChange: (value: string | null) => void
}

/** Chooses one of any number of things by searching for it: nothing is loaded but what is offered. */
export function SearchSelect({ plural, find, findKey, value, chosen, onChange, ...select }: SearchSelectProps) {
  const [search, setSearch] = useState('')
  // What was chosen is shown in the field, and is not a search.
  const [picked, setPicked] = useState<Found | null>(null)
  const known = chosen ?? (picked?.value === value ? picked : undefined)
  const typed = search === known?.label ? '' : search
  const [settled] = useDebouncedValue(typed, 250)
  const found = useQuery({
    queryKey: [...findKey, settled],
    queryFn: ({ signal }) => find(settled, signal),
    placeholderData: before => before,
  })
  if (found.isError) return <ErrorState error={found.error} title={`Couldn’t load ${plural}`} onRetry={() => void found.refetch()} />
  // What was found for other words is not offered: Enter would take it.
  const isSearching = typed !== settled || found.isPlaceholderData
  const offered = isSearching ? [] : (found.data ?? [])
  // Nor is what was chosen, beside what was found for words.
  const isKnownOffered = typed === '' && known !== undefined && !offered.some(option => option.value === known.value)
  const all = isKnownOffered ? [...offered, known] : offered
  const groups = [...Map.groupBy(all, option => option.group)].map(([group, items]) => ({
    group: group ?? `Other ${plural}`,
    // Mantine takes an item that names a group for a group.
    items: items.map(({ value: id, label }) => ({ value: id, label })),
  }))
  return (
    <Select
      placeholder={found.isPending ? 'Loading…' : 'Type to search'}
      {...select}
      searchable
      onSearchChange={setSearch}
      // The service has searched already.
      filter={({ options }) => options}
      withScrollArea={false}
      styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
      // Marks the first that typing leaves, when it has come.
      selectFirstOptionOnChange={typed !== '' && !isSearching}
      nothingFoundMessage={isSearching || found.isFetching ? 'Searching…' : `No matching ${plural}.`}
      data={all.some(option => option.group !== undefined) ? groups : [...all]}
      value={value}
      onChange={next => {
        setPicked(all.find(option => option.value === next) ?? null)
        onChange(next)
      }}
    />
  )
}
