import { Button } from '@mantine/core'
import { IconX } from '../pictures/icons.tsx'

interface ChosenFilterProps {
  readonly words: string
  readonly onClear: () => void
}

/** A filter of a list that was chosen elsewhere than in its toolbar, and the way out of it. */
export function ChosenFilter({ words, onClear }: ChosenFilterProps) {
  return (
    <Button
      variant="default"
      maw={280}
      title={words}
      aria-label={`Clear filter ${words}`}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={onClear}
    >
      {words}
    </Button>
  )
}
