import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectFilter } from '../ui/forms/filters.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { tagsQuery } from './annotations.queries.ts'

interface TagFilterProps {
  /** Tags of this run's samples; null: tags of runs. */
  readonly runId: string | null
  readonly width: number | string
  readonly inPopover?: boolean
}

/** One of the tags in use, searched by the service; nothing while there are none. */
export function TagFilter({ runId, width, inPopover = false }: TagFilterProps) {
  const chosen = useAddress().get('tag')
  const [typed, setTyped] = useState('')
  // The field shows what was chosen, which is not a search.
  const [search] = useDebouncedValue(typed === chosen ? '' : typed, 200)
  const tags = (useQuery(tagsQuery(runId === null ? 'runs' : { samplesOf: runId }, search)).data?.items ?? []).map(use => use.tag)
  const options = chosen === '' || tags.includes(chosen) ? tags : [...tags, chosen]
  if (options.length === 0 && typed === '' && search === '') return null
  return (
    <SelectFilter
      label="Tag"
      name="tag"
      width={width}
      inPopover={inPopover}
      options={options.map(tag => ({ value: tag, label: tag }))}
      onSearch={setTyped}
    />
  )
}
