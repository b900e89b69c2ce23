import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

interface DialogActionsProps {
  readonly onCancel: () => void
  readonly cancel?: string
  /** The button that does what the dialog is for. */
  readonly children: ReactNode
}

/** The end of a dialog: what leaves everything as it is, and what acts. */
export function DialogActions({ onCancel, cancel = 'Cancel', children }: DialogActionsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {cancel}
      </Button>
      {children}
    </Group>
  )
}
