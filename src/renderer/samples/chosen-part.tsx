import { Button } from '@mantine/core'
import { IconX } from '../ui/pictures/icons.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { describePart } from './part-filter.tsx'

/** Which part of a breakdown the list is narrowed to, for a reader who came from its bar. */
export function ChosenPart() {
  const { get, set } = useAddress()
  const words = describePart(get('part'))
  if (words === '') return null
  return (
    <Button
      variant="default"
      maw={280}
      title={words}
      aria-label={`Clear filter ${words}`}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={() => set({ part: null })}
    >
      {words}
    </Button>
  )
}
