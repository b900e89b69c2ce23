import './workspace.css'
import { Button, Group, Modal } from '@mantine/core'
import type { CreatedApiKey } from '../../contract/keys/keys.schemas.ts'
import { workspaceHeaders } from '../api/workspace.ts'
import { CopyButton } from '../ui/values/copy-button.tsx'

interface KeySecretDialogProps {
  /** Null shows nothing. */
  readonly made: CreatedApiKey | null
  readonly onDone: () => void
}

/** The key itself, once. Closes only by its own button: a stray click must not lose it. */
export function KeySecretDialog({ made, onDone }: KeySecretDialogProps) {
  return (
    <Modal
      opened={made !== null}
      onClose={onDone}
      title={made ? `Copy the key “${made.name}” now` : ''}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {made ? (
        <div className="stack">
          <p style={{ margin: 0 }}>
            Shown only once; only its hash is stored. Store it like a password: anyone with the key has its permissions.
          </p>
          <div className="workspace-secret">
            <span data-testid="secret">{made.key}</span>
            <CopyButton value={made.key} what="key" />
          </div>
          <div>
            For a shell, with the names that “Copy as curl” uses:
            <div className="workspace-secret" style={{ marginTop: 4 }}>
              <span>
                export ASSAY_API_KEY={made.prefix}…
                <br />
                export ASSAY_WORKSPACE_ID={workspaceHeaders()['x-workspace-id']}
              </span>
              <CopyButton value={shellLines(made.key)} what="shell lines with the key" />
            </div>
          </div>
          <Group justify="flex-end">
            <Button onClick={onDone} data-autofocus>
              I have saved it
            </Button>
          </Group>
        </div>
      ) : null}
    </Modal>
  )
}

function shellLines(key: string): string {
  return `export ASSAY_API_KEY=${key}\nexport ASSAY_WORKSPACE_ID=${workspaceHeaders()['x-workspace-id'] ?? ''}\n`
}
