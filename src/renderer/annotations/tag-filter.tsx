import { useQuery } from '@tanstack/react-query'
import { SelectFilter } from '../ui/forms/filters.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { tagsQuery } from './annotations.queries.ts'

interface TagFilterProps {
  /** Tags of this run's samples; null: tags of runs. */
  readonly runId: string | null
  readonly width: number | string
  readonly inPopover?: boolean
}

/** One of the tags in use; nothing while there are none. */
export function TagFilter({ runId, width, inPopover = false }: TagFilterProps) {
  const { get } = useAddress()
  const { data } = useQuery(tagsQuery(runId))
  const tags = (data?.items ?? []).filter(use => (runId === null ? use.runs : use.samples) > 0).map(use => use.tag)
  const chosen = get('tag')
  const options = chosen === '' || tags.includes(chosen) ? tags : [...tags, chosen]
  if (options.length === 0) return null
  return (
    <SelectFilter label="Tag" name="tag" width={width} inPopover={inPopover} options={options.map(tag => ({ value: tag, label: tag }))} />
  )
}
