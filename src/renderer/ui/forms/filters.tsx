import { ActionIcon, CloseButton, Select, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { IconQuotes, IconSearch } from '../pictures/icons.tsx'
import { useAddress } from '../table/use-address.ts'
import { textField } from './fields.ts'

const TYPING_PAUSE_MS = 200

/** A search field that keeps its words in the address under `name`. */
export function SearchFilter({
  label,
  name = 'q',
  exact,
  width = 208,
}: {
  readonly label: string
  readonly name?: string
  /** Address parameter that says whether exact text is searched, where that can be chosen. */
  readonly exact?: string
  readonly width?: number | string
}) {
  const { get, set } = useAddress()
  const inAddress = get(name)
  const [typed, setTyped] = useState<string | null>(null)
  const commit = useDebouncedCallback((value: string) => {
    set({ [name]: value })
    setTyped(null)
  }, TYPING_PAUSE_MS)
  const change = (value: string): void => {
    setTyped(value)
    commit(value)
  }
  const value = typed ?? inAddress
  const isExact = exact !== undefined && get(exact) === 'exact'
  const field = (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      w={width}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={value ? <CloseButton size="sm" aria-label="Clear search" onClick={() => change('')} /> : null}
      {...textField(value, change)}
    />
  )
  if (exact === undefined) return field
  return (
    <span className="search-with-mode">
      {field}
      <Tooltip
        multiline
        w={260}
        label={
          isExact ? 'Exact text, case included. Click to search words.' : 'Words, "phrases" and -exclusions. Click to search exact text.'
        }
      >
        <ActionIcon
          variant={isExact ? 'light' : 'subtle'}
          {...(isExact ? {} : { color: 'gray' })}
          size={32}
          aria-label="Exact text"
          aria-pressed={isExact}
          onClick={() => set({ [exact]: isExact ? null : 'exact' })}
        >
          <IconQuotes size={16} />
        </ActionIcon>
      </Tooltip>
    </span>
  )
}

interface SelectFilterProps {
  readonly label: string
  readonly name: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly width?: number | string
  /** Inside a popover, whose closing on a click outside would otherwise take the click on an option. */
  readonly inPopover?: boolean
  /** The service searches: told what is typed. */
  readonly onSearch?: (typed: string) => void
}

/** A choice that keeps its value in the address under `name`; cleared means any. */
export function SelectFilter({ label, name, options, width = 136, inPopover = false, onSearch }: SelectFilterProps) {
  const { get, set } = useAddress()
  return (
    <Select
      aria-label={label}
      placeholder={label}
      w={width}
      clearable
      searchable={options.length > 8 || onSearch !== undefined}
      {...(onSearch === undefined ? {} : { onSearchChange: onSearch, nothingFoundMessage: 'No matches' })}
      comboboxProps={{ withinPortal: !inPopover }}
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      data={[...options]}
      value={get(name) || null}
      onChange={value => set({ [name]: value })}
    />
  )
}
