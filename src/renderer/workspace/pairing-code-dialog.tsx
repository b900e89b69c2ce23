import './workspace.css'
import { Button, Group, Modal } from '@mantine/core'
import type { Invitation } from '../../contract/workspace/workspace.schemas.ts'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { ExternalAddress } from '../ui/values/external-address.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'

export interface PrintedCode {
  /** Whom it is for. */
  readonly name: string
  readonly code: Invitation['pairing_code']
}

/** A pairing code, once. */
export function PairingCodeDialog({ printed, onClose }: { readonly printed: PrintedCode | null; readonly onClose: () => void }) {
  return (
    <Modal
      opened={printed !== null}
      onClose={onClose}
      title={printed ? `Pairing code for ${printed.name}` : ''}
      closeOnClickOutside={false}
    >
      {printed ? (
        <div className="stack">
          <div className="row">
            <span className="workspace-code">{printed.code.code}</span>
            <CopyButton value={printed.code.code} what="pairing code" />
          </div>
          <p style={{ margin: 0 }}>
            Valid for one sign-in; expires <RelativeTime at={printed.code.expires_at} />. Shown only once. Enter it at{' '}
            <ExternalAddress address={printed.code.address} />
          </p>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              Done
            </Button>
          </Group>
        </div>
      ) : null}
    </Modal>
  )
}
