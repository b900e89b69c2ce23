import { showHidden } from '../../lib/format/visible-text.ts'
import { SelectFilter } from '../ui/forms/filters.tsx'
import { useApiKeys } from '../workspace/keys.queries.ts'
import { useMembers } from '../workspace/members.queries.ts'

/** Who started a run: a person or a key. Nothing for whoever is alone. */
export function WhoFilter() {
  const starters = [...(useMembers().data ?? []), ...(useApiKeys().data ?? [])]
  if (starters.length < 2) return null
  const options = starters.map(({ id, name }) => ({ value: id, label: showHidden(name) }))
  return <SelectFilter label="Started by" name="by" options={options} width={140} />
}
