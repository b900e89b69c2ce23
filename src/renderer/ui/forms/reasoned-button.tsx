import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { MouseEvent } from 'react'

interface ReasonedButtonProps extends ButtonProps {
  /** Why it cannot be used now; null: it can. */
  readonly blocked: string | null
  readonly type?: 'button' | 'submit'
  readonly onClick?: () => void
}

/** A button that says why it is disabled. It keeps the focus, so that the reason is reached by keyboard too. */
export function ReasonedButton({ blocked, onClick, ...props }: ReasonedButtonProps) {
  const isBlocked = blocked !== null
  const click = (event: MouseEvent) => (isBlocked ? event.preventDefault() : onClick?.())
  return (
    <Tooltip label={blocked} disabled={!isBlocked} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Button {...props} aria-disabled={isBlocked || undefined} {...(isBlocked && { 'data-disabled': true })} onClick={click} />
    </Tooltip>
  )
}
