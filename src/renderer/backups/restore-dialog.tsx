import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Backup } from '../../contract/backups/backups.schemas.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { checkField } from '../ui/forms/fields.ts'
import { Notice } from '../ui/states/notice.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { useRestoreBackup } from './backups.queries.ts'

/** Says what going back replaces, before it does. */
export function RestoreDialog({ backup, onClose }: { readonly backup: Backup | null; readonly onClose: () => void }) {
  const restore = useRestoreBackup()
  const [trusted, setTrusted] = useState<string | null>(null)
  const isProven = backup?.proof === 'valid'
  const withoutProof = backup !== null && trusted === backup.name
  return (
    <ConfirmDialog
      opened={backup !== null}
      onClose={onClose}
      title="Go back to this backup?"
      action="Restore"
      disabled={!isProven && !withoutProof}
      onConfirm={async () => {
        if (backup) await restore.mutateAsync({ name: backup.name, withoutProof })
      }}
    >
      {backup ? (
        <>
          <p style={{ marginTop: 0 }}>
            Every workspace of this machine becomes what it was <RelativeTime at={backup.created_at} />: runs, results, imports, connections
            and purchases made since then are no longer there. Keys that were revoked and people who were removed stay out.
          </p>
          <p style={{ marginBottom: 0 }}>
            The current database is kept as a backup, so that you can undo this. The backup is checked first; if it is damaged, nothing
            changes. Then Assay stops for a few seconds and starts again. Finish or cancel active runs first.
          </p>
          {isProven ? null : (
            <div className="stack" style={{ marginTop: 12 }}>
              <Notice tone="warn" title="Nothing proves that this file is unchanged">
                {backup.proof === 'missing'
                  ? 'There is no MAC beside it: an earlier version made it, or the MAC was removed.'
                  : 'It does not match its MAC: it was changed, renamed or made in another data folder.'}
              </Notice>
              <Checkbox
                label="I trust this file; restore it without proof"
                {...checkField(withoutProof, isChecked => setTrusted(isChecked ? backup.name : null))}
              />
            </div>
          )}
        </>
      ) : null}
    </ConfirmDialog>
  )
}
