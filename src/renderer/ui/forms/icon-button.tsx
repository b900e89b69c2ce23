import { ActionIcon } from '@mantine/core'
import type { Icon } from '../pictures/icons.tsx'

interface IconButtonProps {
  readonly icon: Icon
  /** Pixels. */
  readonly iconSize?: 14 | 16
  readonly label: string
  readonly size?: 'sm' | 'md'
  readonly disabled?: boolean
  readonly onClick: () => void
}

/** A quiet button of a picture alone. */
export function IconButton({ icon: Picture, iconSize = 16, label, size = 'md', disabled = false, onClick }: IconButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size={size} aria-label={label} disabled={disabled} onClick={onClick}>
      <Picture size={iconSize} aria-hidden />
    </ActionIcon>
  )
}
