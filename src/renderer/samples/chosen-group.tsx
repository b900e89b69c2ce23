import { sampleGroups } from '../../contract/runs/samples.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { ChosenFilter } from '../ui/forms/chosen-filter.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { groupWords } from './sample-groups.ts'

/** Which group of samples without a point the list is narrowed to, for a reader who came from its chip. */
export function ChosenGroup() {
  const { get, set } = useAddress()
  const group = oneOf(get('group'), sampleGroups)
  if (group === undefined) return null
  const words = showHidden(groupWords(group, get('group_code') || null))
  return <ChosenFilter words={words} onClear={() => set({ group: null, group_code: null })} />
}
