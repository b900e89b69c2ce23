import { Button } from '@mantine/core'
import { sampleGroups } from '../../contract/runs/samples.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { IconX } from '../ui/pictures/icons.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { groupWords } from './sample-groups.ts'

/** Which group of samples without a point the list is narrowed to, for a reader who came from its chip. */
export function ChosenGroup() {
  const { get, set } = useAddress()
  const group = oneOf(get('group'), sampleGroups)
  if (group === undefined) return null
  const words = showHidden(groupWords(group, get('group_code') || null))
  return (
    <Button
      variant="default"
      maw={280}
      title={words}
      aria-label={`Clear filter ${words}`}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={() => set({ group: null, group_code: null })}
    >
      {words}
    </Button>
  )
}
