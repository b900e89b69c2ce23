import { Button, Group, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ErrorState } from '../states/error-state.tsx'

interface ConfirmDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  /** A question that names the thing: "Disable Local vLLM?" */
  readonly title: string
  /** What will happen and what will not. */
  readonly children: ReactNode
  /** The verb: "Disable connection". */
  readonly action: string
  /** What leaves everything as it is, where "Cancel" could mean the action itself. */
  readonly dismiss?: string
  readonly onConfirm: () => Promise<unknown>
  readonly dangerous?: boolean
  /** While something that the action needs is missing. */
  readonly disabled?: boolean
}

/** Asks before something that cannot be taken back. Closes on success; an error stays inside. */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  children,
  action,
  dismiss = 'Cancel',
  onConfirm,
  dangerous = true,
  disabled = false,
}: ConfirmDialogProps) {
  const [state, setState] = useState<{ busy: boolean; error: Error | null }>({ busy: false, error: null })
  const confirm = async (): Promise<void> => {
    setState({ busy: true, error: null })
    try {
      await onConfirm()
      setState({ busy: false, error: null })
      onClose()
    } catch (error) {
      setState({ busy: false, error: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="md">
      <div className="stack">
        <div>{children}</div>
        {state.error ? <ErrorState error={state.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {dismiss}
          </Button>
          <Button {...(dangerous ? { color: 'red.8' } : {})} loading={state.busy} disabled={disabled} onClick={() => void confirm()}>
            {action}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
